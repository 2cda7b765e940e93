import { Buffer } from 'node:buffer';
import { BODY_LIMITS } from '@tollgate/core/requests/body-limits';
import { ITEM_MARK } from '@tollgate/dialects/openai-responses/carried/item-id';
import { expect, it } from 'vitest';
import { isForThread } from './is-for-thread.ts';

const { maxOnLoopBytes, maxOnLoopBytesWithItems, maxOnLoopMembers, maxOnLoopValues } = BODY_LIMITS;

const members = (count: number) => `{${Array.from({ length: count }, (_, at) => `"m${at}":1`).join(',')}}`;
const numbers = (count: number) => `[${'1,'.repeat(count - 1)}1]`;
/** @returns a text of exactly so many bytes that ends like an id */
const withMark = (bytes: number) => `"${'a'.repeat(bytes - 2 - ITEM_MARK.length)}${ITEM_MARK}"`;

it.each<[string, (size: number) => string, number]>([
  ['bytes', (bytes) => 'a'.repeat(bytes), maxOnLoopBytes],
  ['bytes with an id that may carry an item', withMark, maxOnLoopBytesWithItems],
  ['members', members, maxOnLoopMembers],
  // One more value than commas.
  ['values in lists', (commas) => numbers(commas + 1), maxOnLoopValues],
])('is for a thread with more %s than the limit', (_, write, most) => {
  expect(isForThread(Buffer.from(write(most)))).toBe(false);
  expect(isForThread(Buffer.from(write(most + 1)))).toBe(true);
});
