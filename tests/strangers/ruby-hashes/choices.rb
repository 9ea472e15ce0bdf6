require 'json'
# The legal choices (choices.txt) and the fault switches (faults.txt).
def read_table(file) = File.readlines("#{__dir__}/#{file}", chomp: true).grep_v(/^#/).map { |line| line.split(' | ') }

CHOICE_LIST = read_table('choices.txt').map { |name, values, meaning| [name, values.split, meaning] }
FAULT_LIST = read_table('faults.txt')
CHOICES = CHOICE_LIST.to_h { |name, values, _| [name, values.first] }
FAULT = ENV['FAULT'].to_s.strip

JSON.parse(ENV['CHOICES'].to_s.empty? ? '{}' : ENV['CHOICES']).each do |name, value|
  abort "unknown choice: #{name}" unless CHOICE_LIST.assoc(name)&.at(1)&.include?(value)
  CHOICES[name] = value
end
abort "unknown fault: #{FAULT}" unless FAULT.empty? || FAULT_LIST.assoc(FAULT)

def choice(name) = CHOICES.fetch(name)
def choice?(name, value) = CHOICES.fetch(name) == value
def fault?(name) = FAULT == name
def describe
  { language: 'Ruby', store: 'in-memory hashes and arrays',
    choices: CHOICE_LIST.map { |n, v, m| { name: n, values: v, default: v.first, meaning: m } },
    faults: FAULT_LIST.map { |n, a, m| { name: n, area: a, meaning: m } } }
end
