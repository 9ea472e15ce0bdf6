module stranger

go 1.19
