import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { TextMeter } from './text-meter.ts';

const measured = (text: string) => {
  const decoded = new TextMeter();
  decoded.add(text);
  const encoded = new TextMeter();
  const json = Buffer.from(JSON.stringify(text));
  encoded.addJson(json, 1, json.length - 1);
  return { decoded, encoded };
};

describe('TextMeter', () => {
  it.each(['hello world', 'naïve 日本語 🙂', 'a "quoted"\nline\t\\', ' '.repeat(700), 'é'.repeat(600)])(
    'counts the UTF-8 bytes of %j, decoded or as JSON',
    (text) => {
      const { decoded, encoded } = measured(text);
      expect(decoded.bytes).toBe(Buffer.byteLength(text));
      expect(encoded.bytes).toBe(Buffer.byteLength(text));
    },
  );

  it('counts escaped characters as the characters they encode', () => {
    const meter = new TextMeter();
    const json = Buffer.from(String.raw`"\u65e5\ud83d\ude42\n"`);
    meter.addJson(json, 1, json.length - 1);
    expect(meter.bytes).toBe(Buffer.byteLength('日🙂\n'));
  });

  it.each([
    ['runs of one character', '-'.repeat(10_000)],
    ['blank lines and indentation', ' '.repeat(50_000)],
    ['a picture in base64', `![](data:image/png;base64,${'iVBORw0KGgoAAAANSUhEUg'.repeat(1_000)})`],
  ])('expects hardly any tokens for %s', (_, text) => {
    expect(measured(text).decoded.leastTokens).toBeLessThan(5);
    expect(measured(text).encoded.leastTokens).toBeLessThan(5);
  });

  it('recognizes a file that arrives in small pieces', () => {
    const meter = new TextMeter();
    for (let piece = 0; piece < 5_000; piece += 1) meter.add('aB3dE5gH');
    expect(meter.leastTokens).toBeLessThan(5);
  });

  it('expects a token for each 20 bytes of text', () => {
    const words = Array.from({ length: 100 }, (_, index) => `word${index}`).join(' ');
    expect(measured(words).decoded.leastTokens).toBeGreaterThan(25);
  });

  it('counts JSON like its decoded text, piece by piece', () => {
    const pieces = [
      'a',
      'aa',
      'x',
      '-=',
      ' ',
      '"',
      '\\',
      '\u0001',
      'word 12',
      'A'.repeat(300),
      'ab'.repeat(300),
    ];
    let seed = 3;
    const next = () => (seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
    for (let round = 0; round < 200; round += 1) {
      const [decoded, encoded] = [new TextMeter(), new TextMeter()];
      for (let count = 0; count < 12; count += 1) {
        const text = `${pieces[Math.floor(next() * pieces.length)]}${pieces[Math.floor(next() * pieces.length)]}`;
        const json = Buffer.from(JSON.stringify(text));
        decoded.add(text);
        encoded.addJson(json, 1, json.length - 1);
        const { bytes, plainBytes, pieces: taken } = decoded;
        expect(encoded).toMatchObject({ bytes, plainBytes, pieces: taken });
      }
    }
  });

  it('adds all counts of another meter, without repeated text', () => {
    const [one, other] = [measured('one two').decoded, measured('three four').decoded];
    const counts = ({ bytes, plainBytes, pieces }: TextMeter) => ({ bytes, plainBytes, pieces });
    expect(counts(one.plus(other))).toEqual({
      bytes: one.bytes + other.bytes,
      plainBytes: one.plainBytes + other.plainBytes,
      pieces: 2,
    });
    expect(counts(one.plus(other, other))).toEqual(counts(one));
  });
});
