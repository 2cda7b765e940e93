-- The browser that asked for a code: only that browser can use up the attempts of the code.
-- SHA-256 of its device cookie; null: any browser may enter the code.
ALTER TABLE one_time_codes ADD COLUMN browser bytea;

-- Sign-in budgets look up whether a person has signed in from this network before.
CREATE INDEX known_devices_address ON known_devices (user_id, address);
