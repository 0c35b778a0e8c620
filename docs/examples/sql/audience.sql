-- The devices of customers who agreed and bought something in the last 90 days. As a dbt model,
-- save it as models/audience.sql and write {{ ref('customers') }} for customers.
--
-- DISTINCT and the conditions save work; usher counts and drops what they let through.
SELECT DISTINCT c.gaid, c.country
FROM customers c
JOIN orders o ON o.customer = c.id
WHERE c.consent = 1
  AND c.gaid IS NOT NULL
  AND o.day >= date('2026-03-01', '-90 days')
ORDER BY c.gaid
