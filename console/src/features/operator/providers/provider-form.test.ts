import { expect, it } from 'vitest';
import { emptyProviderForm, readProviderTerms } from './provider-form.ts';

it('parses numbers as typed, and empty fields as the default', () => {
  const form = { ...emptyProviderForm(null), connectTimeoutMs: '5,000', maxConcurrency: ' 8 ' };
  expect(readProviderTerms(form)).toEqual({
    ok: true,
    terms: {
      baseUrl: '',
      settings: {},
      connectTimeoutMs: 5000,
      firstByteTimeoutMs: null,
      idleTimeoutMs: null,
      totalTimeoutMs: null,
      maxConcurrency: 8,
    },
  });
});

it.each(['0', '-5', '1.5', 'ten'])('returns the field of the invalid number %j', (totalTimeoutMs) => {
  expect(readProviderTerms({ ...emptyProviderForm(null), totalTimeoutMs })).toEqual({
    ok: false,
    field: 'totalTimeoutMs',
  });
});
