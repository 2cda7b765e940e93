-- The family and version of the program that sent a request, from its user agent: 'claude-cli 2.1.332'. Never free text.
ALTER TABLE requests ADD COLUMN client text;
ALTER TYPE settlement ADD ATTRIBUTE client text;
