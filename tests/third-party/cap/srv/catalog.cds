// A small bookshop, as a CAP team would write it.
namespace bookshop;

entity Authors {
  key ID      : Integer;
      name    : String(100);
      born    : Date;
      books   : Association to many Books on books.author = $self;
}

entity Books {
  key ID        : Integer;
      title     : String(100);
      subtitle  : String(100);
      stock     : Integer;
      price     : Decimal(9, 2);
      weight    : Double;
      inPrint   : Boolean;
      published : Date;
      changed   : Timestamp;
      author    : Association to Authors;
}

@path: '/catalog'
service Catalog {
  entity Books   as projection on bookshop.Books;
  entity Authors as projection on bookshop.Authors;
}
