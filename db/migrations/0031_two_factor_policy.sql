-- Accounts and the installation can require a second factor of their people.

-- When the session proved a second factor: a code, a recovery code or a passkey. null: it has not.
ALTER TABLE sessions ADD COLUMN second_factor_at timestamptz;
UPDATE sessions SET second_factor_at = sessions.created_at
FROM totp_secrets
WHERE totp_secrets.user_id = sessions.user_id AND totp_secrets.confirmed_at <= sessions.created_at;

ALTER TABLE accounts ADD COLUMN requires_two_factor boolean NOT NULL DEFAULT false;
ALTER TABLE installation_settings ADD COLUMN operators_require_two_factor boolean NOT NULL DEFAULT false;
