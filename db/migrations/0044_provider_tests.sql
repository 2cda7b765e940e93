-- When an operator's test of a provider last passed, so that what the provider said before is not shown any more.
ALTER TABLE providers ADD COLUMN test_passed_at timestamptz;
