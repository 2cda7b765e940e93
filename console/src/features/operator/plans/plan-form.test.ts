import { expect, it } from 'vitest';
import { getPlanForm, planFormSchema } from './plan-form.ts';

it('parses the form: empty means no limit, commas are dropped', () => {
  const typed = { ...getPlanForm(null), id: 'team', rpm: '1,200', tpm: ' ' };
  expect(planFormSchema.parse(typed)).toEqual({
    id: 'team',
    allowedModels: null,
    rpm: 1200,
    tpm: null,
    priceMultiplier: '1',
    ownCredentialFee: '0',
    includedCreditUsd: '0',
    isPrepaid: true,
    forwardsUnknown: null,
    countsCacheReads: null,
  });
});

it.each([
  [{ rpm: 'many' }, 'rpm'],
  [{ rpm: '0' }, 'rpm'],
  [{ tpm: '1.5' }, 'tpm'],
  [{ priceMultiplier: '-1' }, 'priceMultiplier'],
  [{ includedCreditUsd: '-1' }, 'includedCreditUsd'],
  [{ includedCreditUsd: 'free' }, 'includedCreditUsd'],
  [{ allowedModels: [] }, 'allowedModels'],
  [{ id: 'Big Plan' }, 'id'],
])('rejects %o at its field', (change, field) => {
  const read = planFormSchema.safeParse({ ...getPlanForm(null), id: 'team', ...change });
  expect(read.error?.issues[0]?.path[0]).toBe(field);
});
