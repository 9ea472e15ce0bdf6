/** The same tables in SQLite, with other rows. */
export const sqliteTables = `
ATTACH ':memory:' AS crm;
CREATE TABLE crm.accounts (login TEXT PRIMARY KEY, mail TEXT);
CREATE TABLE crm.staff (
  staff_id TEXT PRIMARY KEY, company INTEGER NOT NULL, full_name TEXT NOT NULL COLLATE NOCASE, login TEXT,
  is_active INTEGER NOT NULL, left_at TEXT
);
CREATE TABLE crm.cases (
  case_no INTEGER PRIMARY KEY, company INTEGER NOT NULL, title TEXT NOT NULL, state TEXT NOT NULL, urgency INTEGER,
  created TEXT NOT NULL, due_on TEXT, hours NUMERIC, details TEXT NOT NULL, tags TEXT NOT NULL, owner TEXT,
  deleted_at TEXT, changes INTEGER NOT NULL DEFAULT 1
);
CREATE TABLE crm.case_watchers (case_no INTEGER NOT NULL, staff_id TEXT NOT NULL, PRIMARY KEY (case_no, staff_id));
INSERT INTO crm.accounts VALUES ('user1', 'user1@desk.example'), ('user2', 'user2@desk.example');
WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 24)
INSERT INTO crm.staff SELECT
  printf('00000000-0000-4000-8000-%012d', n), 1 + n % 2,
  CASE n % 6 WHEN 0 THEN 'Ann' WHEN 1 THEN 'ann' WHEN 2 THEN 'Éva' WHEN 3 THEN 'Bo' WHEN 4 THEN 'Zoë' ELSE '張偉' END || ' ' || n / 6,
  CASE WHEN n < 3 THEN 'user' || n END, n % 5 > 0, CASE WHEN n % 11 = 0 THEN '2024-01-01' END
FROM n;
WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 120)
INSERT INTO crm.cases (case_no, company, title, state, urgency, created, due_on, hours, details, tags, owner, deleted_at) SELECT
  n, 1 + n % 2, CASE n % 4 WHEN 0 THEN 'Printer is slow' WHEN 1 THEN 'mail fails' WHEN 2 THEN 'Größe 100 %' ELSE 'ПРИНТЕР' END,
  CASE n % 3 WHEN 0 THEN 'open' WHEN 1 THEN 'waiting' ELSE 'solved' END, CASE WHEN n % 4 > 0 THEN n % 7 - 1 END,
  strftime('%Y-%m-%dT%H:%M:%fZ', '2024-02-28', n || ' hours', printf('%.3f seconds', n * 1.013)),
  CASE WHEN n % 3 > 0 THEN date('2024-03-01', n || ' days') END, CASE WHEN n % 5 > 0 THEN n * 1.25 END,
  CASE WHEN n % 4 = 0 THEN '{}' ELSE json_object('reporter', json_object('name', 'Caller ' || (n % 9), 'phone', CASE WHEN n % 2 = 0 THEN '+1 ' || n END)) END,
  CASE n % 3 WHEN 0 THEN '[]' WHEN 1 THEN '["urgent"]' ELSE '["vip","later"]' END,
  CASE WHEN n % 6 > 0 THEN printf('00000000-0000-4000-8000-%012d', 1 + (n + n / 2) % 24) END, CASE WHEN n % 13 = 0 THEN '2024-05-05' END
FROM n;
WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 120)
INSERT INTO crm.case_watchers SELECT n, printf('00000000-0000-4000-8000-%012d', 1 + (n + n / 2) % 24) FROM n WHERE n % 5 > 0;
`
