-- What the key's budget must cover at least, which may be more than what the balance must cover.
ALTER TYPE hold ADD ATTRIBUTE key_min_nano_usd bigint;
