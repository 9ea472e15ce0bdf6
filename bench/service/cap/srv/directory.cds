// The part of the Directory service that is measured, as a CAP team would write it: people, and mail that belongs to one
// person alone.
namespace directory;

entity Users {
  key id                : UUID;
      displayName       : String(256);
      mail              : String(320);
      jobTitle          : String(128);
      department        : String(64);
      officeLocation    : String(128);
      givenName         : String(64);
      surname           : String(64);
      accountEnabled    : Boolean;
      userPrincipalName : String(320);
      version           : Integer default 1 @odata.etag;
      messages          : Composition of many Messages on messages.owner = $self;
}

type EmailAddress {
  address : String(320);
  name    : String;
}

type Recipient {
  emailAddress : EmailAddress;
}

entity Messages {
  key id                   : UUID;
      owner                : Association to Users;
      subject              : String;
      body                 : {
        contentType : String(4);
        content     : LargeString;
      };
      toRecipients         : many Recipient;
      ccRecipients         : many Recipient;
      ![from]              : Recipient;
      receivedDateTime     : DateTime @cds.on.insert: $now;
      isRead               : Boolean default true;
      importance           : String(6) default 'normal';
      categories           : many String;
      createdDateTime      : DateTime @cds.on.insert: $now;
      lastModifiedDateTime : DateTime @cds.on.insert: $now;
      version              : Integer default 1 @odata.etag;
}

@path: '/v1.0'
service Directory {
  entity users    as projection on Users;
  entity messages as projection on Messages;
}
