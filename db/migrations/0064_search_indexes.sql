-- Operators search the beginning of names and emails in all accounts. These indexes do not depend on the collation.
CREATE INDEX api_keys_search_start ON api_keys (search_text text_pattern_ops);
CREATE INDEX api_keys_prefix_start ON api_keys (prefix text_pattern_ops, last4);
CREATE INDEX api_keys_last4 ON api_keys (last4);
CREATE INDEX users_email_start ON users (email text_pattern_ops);
CREATE INDEX accounts_name_start ON accounts (lower(name) text_pattern_ops);
