import { expect, it } from 'vitest';
import { ServedScan } from './served-scan.ts';

const chunk = (model: string, more: object = {}) =>
  `data: ${JSON.stringify({ id: 'a', model, ...more })}\n\n`;

it('finds each event that names another model or tier than the one before', () => {
  const scan = new ServedScan();
  expect(scan.findChanges(chunk('a-1.5'))).toHaveLength(1);
  expect(scan.findChanges(chunk('a-1.5') + chunk('a-1.5'))).toEqual([]);
  // A dot is no wildcard.
  expect(scan.findChanges(chunk('a-1x5'))).toHaveLength(1);
  expect(scan.findChanges(chunk('a-1x5', { service_tier: null }))).toEqual([]);
  const tier = { service_tier: 'flex' };
  const text = chunk('a-1x5') + chunk('b', tier) + chunk('b', tier) + chunk('a-1x5', tier);
  const found = scan.findChanges(text);
  expect(found.map((at) => text.slice(at, text.indexOf(',', at)).split('}')[0])).toEqual([
    '"model":"b"',
    '"service_tier":"flex"',
    '"model":"a-1x5"',
  ]);
});

it('passes over text that looks like a member, and reads members with blanks', () => {
  const scan = new ServedScan();
  expect(scan.findChanges(chunk('a', { content: 'My "model": "b", "service_tier":"x"' }))).toHaveLength(1);
  expect(scan.findChanges('data: {"model": "b"}\n\n')).toHaveLength(1);
  expect(scan.findChanges('data: {"model": "b"}\n\n')).toEqual([]);
});
