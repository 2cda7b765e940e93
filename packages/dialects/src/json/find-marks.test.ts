import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { findMarks } from './find-marks.ts';

const MARKS = ['--sig', '"reasoning"', 'thinking.signature:'];
const find = (json: string) => findMarks(Buffer.from(json), MARKS);
/** A body above the size that is searched as a string. */
const PADDING = 'x'.repeat(5_000);

describe('marks in JSON', () => {
  it.each(['', PADDING])('are found, in short and in long JSON', (padding) => {
    expect(find(`{"a":"b--sig1","c":"${padding}"}`)).toEqual(['--sig']);
    expect(find(`{"type":"reasoning","c":"${padding}"}`)).toEqual(['"reasoning"']);
    expect(find(`{"type":"message","c":"${padding}"}`)).toEqual([]);
  });

  it.each(
    ['', PADDING].flatMap((padding) =>
      ['002d', '002D', '002e', '002E', '0030', '0039', '003a', '003A', '0041', '005f', '0061', '007a'].map(
        (code) => [code, padding.length, padding] as const,
      ),
    ),
  )('may be there if \\u%s is, in JSON with %d more bytes', (code, _bytes, padding) => {
    expect(find(`{"a":"\\u${code}","c":"${padding}"}`)).toBeNull();
    expect(find(`{"a":"\\\\\\u${code}","c":"${padding}"}`)).toBeNull();
  });

  it.each([
    ['characters that no mark has', String.raw`\u003c\u003e\u0026\u00e9\u4e2d\u2d00\u0022`],
    ['an escaped backslash before the digits', String.raw`\\u002d`],
    ['other escapes', String.raw`\"\\\n\/`],
  ])('are not hidden by %s', (_name, text) => {
    for (const padding of ['', PADDING]) expect(find(`{"a":"${text}","c":"${padding}"}`)).toEqual([]);
  });

  it('are searched in little time if the text has many backslashes', () => {
    const json = Buffer.from(`{"a":"${String.raw`\n\n\u00ff`.repeat(1_000_000)}"}`);
    const times = Array.from({ length: 3 }, () => {
      const before = process.threadCpuUsage();
      expect(findMarks(json, MARKS)).toEqual([]);
      return process.threadCpuUsage(before).user / 1_000;
    });
    expect(Math.min(...times)).toBeLessThan(250);
  });
});
