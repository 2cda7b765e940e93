import { expect, it } from 'vitest';
import { readTags } from './read-tags.ts';

it.each([
  ['', []],
  [' , ', []],
  ['prod', ['prod']],
  [' prod , team eu,prod,', ['prod', 'team eu']],
])('parses %o', (text, tags) => {
  expect(readTags(text)).toEqual(tags);
});
