INSERT INTO crm.accounts SELECT 'user' || n, 'user' || n || '@desk.example' FROM generate_series(1, 9) AS n;

INSERT INTO crm.staff
SELECT
  md5('staff' || n)::uuid,
  1 + n % 2,
  (ARRAY['Ann Lee', 'Bo Ek', 'Çelik Ay', 'dora', 'Éva Kun', 'Fay', 'Ğan', 'Ωmega', '張偉', 'Zoë'])[1 + n % 10] || ' ' || n / 10,
  CASE WHEN n % 3 > 0 AND n < 10 THEN 'user' || n END,
  n % 5 > 0,
  CASE WHEN n % 11 = 0 THEN '2024-01-01T00:00:00Z'::timestamptz END
FROM generate_series(1, 24) AS n;

INSERT INTO crm.cases
SELECT
  n,
  1 + n % 2,
  (ARRAY['Printer', 'Mail', 'Login', 'Screen', 'Größe', 'ПРИНТЕР'])[1 + n % 6] || (ARRAY[' is slow', ' fails', ', again', ' 100 %', ''])[1 + n % 5],
  (ARRAY['open', 'waiting', 'solved'])[1 + n % 3]::crm.case_state,
  CASE WHEN n % 4 > 0 THEN n % 7 - 1 END,
  '2024-02-28T22:30:00Z'::timestamptz + n * interval '7 hours 13.017 seconds',
  CASE WHEN n % 3 > 0 THEN '2024-03-01'::date + n END,
  CASE WHEN n % 5 > 0 THEN n * 1.25 END,
  CASE WHEN n % 4 = 0 THEN '{}'
    ELSE jsonb_build_object('reporter', jsonb_build_object('name', 'Caller ' || n % 9, 'phone', CASE WHEN n % 2 = 0 THEN '+1 55 ' || n END))
  END,
  (ARRAY['urgent', 'vip', 'later'])[1 : n % 4],
  CASE WHEN n % 6 > 0 THEN md5('staff' || 1 + (n + n / 2) % 24)::uuid END,
  CASE WHEN n % 13 = 0 THEN '2024-05-05T00:00:00Z'::timestamptz END
FROM generate_series(1, 160) AS n;

INSERT INTO crm.case_watchers
SELECT DISTINCT n, md5('staff' || 1 + (n * k + k * k) % 24)::uuid FROM generate_series(1, 160) AS n, generate_series(1, 3) AS k
WHERE n % 5 > 0;
