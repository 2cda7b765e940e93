-- Conversations that an account stores in the gateway, as lists of items that requests continue.

CREATE TABLE conversations (
  account_id text NOT NULL REFERENCES accounts ON DELETE CASCADE,
  id text NOT NULL,
  created_at timestamptz NOT NULL,
  -- The last change: its retention begins here.
  updated_at timestamptz NOT NULL,
  -- Compressed and encrypted for this row.
  metadata_sealed bytea NOT NULL,
  -- Of all its columns and parts that are sealed.
  bytes bigint NOT NULL CHECK (bytes >= 0),
  -- Of all items, decompressed.
  size bigint NOT NULL DEFAULT 0 CHECK (size >= 0),
  -- The number of the next part.
  next_part integer NOT NULL DEFAULT 0,
  -- The request whose response will be added, and its process; null: none.
  locked_by text,
  locked_replica text,
  PRIMARY KEY (account_id, id)
);
-- For the retention of an account, and for its total of bytes.
CREATE INDEX conversations_age ON conversations (account_id, updated_at) INCLUDE (bytes);

-- Items that were added together.
CREATE TABLE conversation_parts (
  account_id text NOT NULL,
  conversation_id text NOT NULL,
  number integer NOT NULL,
  -- Names the part in its encryption and in the ids of its items.
  id text NOT NULL,
  created_at timestamptz NOT NULL,
  -- A JSON list, with null for each deleted item.
  items_sealed bytea NOT NULL,
  -- Decompressed, in bytes.
  size integer NOT NULL CHECK (size >= 0),
  -- Changes with each deletion of an item.
  revision integer NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, conversation_id, number),
  FOREIGN KEY (account_id, conversation_id) REFERENCES conversations ON DELETE CASCADE
);

-- Sealed bytes cannot be compressed any further.
ALTER TABLE conversation_parts ALTER COLUMN items_sealed SET STORAGE EXTERNAL;
