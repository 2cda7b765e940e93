import type { Sealer } from './seal.ts';
import { openLargeCompressed, sealLargeCompressed } from './seal-compressed.ts';

/** Identity of a part of a conversation; its encryption is bound to it. */
export interface ConversationContext {
  accountId: string;
  /** Of the conversation. */
  id: string;
  /** The id of its part, or `metadata`. */
  part: string;
}

/** Seals a part of a conversation. */
export function sealConversation(
  sealer: Sealer,
  bytes: Buffer,
  context: ConversationContext,
): Promise<Buffer> {
  return sealLargeCompressed(sealer, bytes, toText(context));
}

/** @param stored its size is the maximum when decompressed. @throws Error if key or identity differ, or it is larger */
export function openConversation(
  sealer: Sealer,
  stored: { sealed: Buffer; size: number },
  context: ConversationContext,
): Promise<Buffer> {
  return openLargeCompressed(sealer, stored, toText(context));
}

function toText({ accountId, id, part }: ConversationContext): string {
  return `conversation:${accountId}:${id}:${part}`;
}
