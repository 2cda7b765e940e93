-- How a provider is reached. `proxy` is NULL for the proxy of the environment, `direct` for none, or the address of a
-- forward proxy without its user name and password; `proxy_sealed` is the whole address, encrypted.
ALTER TABLE providers
  ADD COLUMN proxy text,
  ADD COLUMN proxy_sealed bytea,
  ADD COLUMN ca_certificates text CHECK (length(ca_certificates) <= 100000),
  ADD COLUMN http2 boolean NOT NULL DEFAULT false,
  ADD CHECK ((proxy_sealed IS NULL) = (proxy IS NULL OR proxy = 'direct'));
