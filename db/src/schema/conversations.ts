import { bigint, foreignKey, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';
import { bytea, moment } from './types.ts';

/** Conversations that an account stores; sealed, each column for its place. */
export const conversations = pgTable(
  'conversations',
  {
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id),
    id: text('id').notNull(),
    createdAt: moment('created_at').notNull(),
    /** The last change: its retention begins here. */
    updatedAt: moment('updated_at').notNull(),
    metadataSealed: bytea('metadata_sealed').notNull(),
    /** Of all its columns and parts that are sealed. */
    bytes: bigint('bytes', { mode: 'number' }).notNull(),
    /** Of all items, decompressed, in bytes. */
    size: bigint('size', { mode: 'number' }).notNull().default(0),
    /** The number of the next part. */
    nextPart: integer('next_part').notNull().default(0),
    /** The request whose response will be added, and its process; null: none. */
    lockedBy: text('locked_by'),
    lockedReplica: text('locked_replica'),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.id] })],
);

/** Items of a conversation that were added together. */
export const conversationParts = pgTable(
  'conversation_parts',
  {
    accountId: text('account_id').notNull(),
    conversationId: text('conversation_id').notNull(),
    number: integer('number').notNull(),
    /** Names the part in its encryption and in the ids of its items. */
    id: text('id').notNull(),
    createdAt: moment('created_at').notNull(),
    /** A JSON list, with null for each deleted item. */
    itemsSealed: bytea('items_sealed').notNull(),
    /** Decompressed, in bytes. */
    size: integer('size').notNull(),
    /** Changes with each deletion of an item. */
    revision: integer('revision').notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.conversationId, table.number] }),
    foreignKey({
      columns: [table.accountId, table.conversationId],
      foreignColumns: [conversations.accountId, conversations.id],
    }).onDelete('cascade'),
  ],
);
