import { expect, it } from 'vitest';
import { cleanOpenAiError } from './clean-error.ts';

const bodyWith = (innererror: unknown) => ({ error: { message: 'boom', innererror } });

it('does not search a detail that is too long to be kept', () => {
  const searched: string[] = [];
  const count = (text: string) => {
    searched.push(text);
    return text;
  };
  const detail = Array.from({ length: 100_000 }, () => 'abcdef');
  expect(cleanOpenAiError(400, bodyWith(detail), count)).toMatchObject({
    error: { message: 'boom', innererror: null },
  });
  expect(searched).toEqual(['boom']);
});

it('redacts a short detail', () => {
  const redact = (text: string) => text.replaceAll('SECRET', '[redacted]');
  const cleaned = cleanOpenAiError(400, bodyWith({ code: 'a SECRET', list: ['SECRET'] }), redact);
  expect(cleaned).toMatchObject({
    error: { innererror: { code: 'a [redacted]', list: ['[redacted]'] } },
  });
});
