-- What the caller of a failed request got: the message, and the member of the request that it named.
ALTER TABLE requests ADD COLUMN error_message text;
ALTER TABLE requests ADD COLUMN error_param text;
ALTER TYPE settlement ADD ATTRIBUTE error_message text;
ALTER TYPE settlement ADD ATTRIBUTE error_param text;
