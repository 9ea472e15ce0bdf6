-- The tables as they were before the service. None is named like a type of the spec.
CREATE SCHEMA crm;

CREATE TABLE crm.accounts (login text PRIMARY KEY, mail varchar(254));

CREATE TABLE crm.staff (
  staff_id uuid PRIMARY KEY,
  company int NOT NULL,
  full_name varchar(100) NOT NULL,
  login text REFERENCES crm.accounts,
  is_active boolean NOT NULL DEFAULT true,
  left_at timestamptz
);

CREATE TYPE crm.case_state AS ENUM ('open', 'waiting', 'solved');

CREATE TABLE crm.cases (
  case_no int PRIMARY KEY,
  company int NOT NULL,
  title text NOT NULL,
  state crm.case_state NOT NULL,
  urgency smallint,
  created timestamptz(3) NOT NULL,
  due_on date,
  hours numeric(9, 2),
  details jsonb NOT NULL DEFAULT '{}',
  tags text[] NOT NULL DEFAULT '{}',
  owner uuid REFERENCES crm.staff,
  deleted_at timestamptz
);

CREATE TABLE crm.case_watchers (
  case_no int NOT NULL REFERENCES crm.cases,
  staff_id uuid NOT NULL REFERENCES crm.staff,
  PRIMARY KEY (case_no, staff_id)
);
