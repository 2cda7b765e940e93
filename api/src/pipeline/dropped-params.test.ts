import { expect, it } from 'vitest';
import { setDroppedParams } from './dropped-params.ts';

function getHeaders(dropped: readonly string[]) {
  const headers: Record<string, string> = {};
  setDroppedParams({ setHeader: (name, value) => void (headers[name] = value) }, dropped);
  return headers;
}

it('lists the first twenty plain names, since callers choose them', () => {
  const names = Array.from({ length: 25 }, (_, at) => `member_${at}`);
  const list = names.slice(0, 20).join(',');
  expect(getHeaders(['a b', 'x\r\ny', 'é', 'a'.repeat(65), '', ...names])).toEqual({
    'x-tollgate-dropped-params': list,
  });
});

it('sets no header without a name', () => {
  expect(getHeaders([])).toEqual({});
  expect(getHeaders(['a b'])).toEqual({});
});
