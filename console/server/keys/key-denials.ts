import { formatUsd } from '@tollgate/core/money/money';
import type { CreateKeyDenial } from '@tollgate/db/queries/keys/keys';
import type { RotateKeyDenial } from '@tollgate/db/queries/keys/rotate-key';
import type { TRPCError } from '@trpc/server';
import { deny, notFound } from '../denial.ts';

export function denyScope(denial: CreateKeyDenial): TRPCError {
  if (denial.reason === 'expiry_in_past')
    return deny('BAD_REQUEST', 'The expiry must lie in the future.', { field: 'scope.expiresAt' });
  const models = denial.models.join(', ');
  return deny('BAD_REQUEST', `There is no model ${models}.`, { field: 'scope.allowedModels' });
}

export function denyRotation(denial: RotateKeyDenial): TRPCError {
  switch (denial.reason) {
    case 'not_found':
      return notFound('key');
    case 'has_ended':
      return deny('BAD_REQUEST', 'This key has ended already: create a new one instead.');
    case 'already_replaced':
      return deny('BAD_REQUEST', 'This key has a successor already: rotate that one.');
    case 'end_out_of_range':
      return deny('BAD_REQUEST', 'The old key can work on for up to 30 days from now.', {
        field: 'rotation.endsAt',
      });
    case 'budget_spent':
      return deny('BAD_REQUEST', 'Nothing is left of this budget: create a new key instead.');
    case 'keeps_too_much':
      return deny('BAD_REQUEST', `Less than $${formatUsd(denial.leftNanoUsd)} can stay with the old key.`, {
        field: 'rotation.keepUsd',
      });
  }
}
