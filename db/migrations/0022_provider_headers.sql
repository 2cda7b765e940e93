-- Headers that an operator wants sent to a provider with every request. Their values are secrets: names and values are
-- sealed as one, apart from the credential, which may stand in the environment. The names are kept beside to be shown.
ALTER TABLE providers
  ADD COLUMN headers_sealed bytea,
  ADD COLUMN header_names text[] NOT NULL DEFAULT '{}',
  ADD CHECK ((headers_sealed IS NULL) = (header_names = '{}'));
