import { formatUsd } from '@tollgate/core/money/money';
import type { CreateKeyDenial } from '@tollgate/db/queries/keys/keys';
import type { RotateKeyDenial } from '@tollgate/db/queries/keys/rotate-key';
import type { TRPCError } from '@trpc/server';
import { deny, notFound } from '../denial.ts';

export function denyScope(denial: CreateKeyDenial): TRPCError {
  if (denial.reason === 'expiry_in_past')
    return deny('BAD_REQUEST', 'The expiry must be in the future.', { field: 'scope.expiresAt' });
  const models = denial.models.join(', ');
  return deny('BAD_REQUEST', `Unknown model: ${models}.`, { field: 'scope.allowedModels' });
}

export function denyRotation(denial: RotateKeyDenial): TRPCError {
  switch (denial.reason) {
    case 'not_found':
      return notFound('key');
    case 'has_ended':
      return deny('BAD_REQUEST', 'This key is revoked or expired. Create a new key instead.');
    case 'already_replaced':
      return deny('BAD_REQUEST', 'This key was already rotated. Rotate the new key instead.');
    case 'end_out_of_range':
      return deny('BAD_REQUEST', 'The old key can keep working for up to 30 days.', {
        field: 'rotation.endsAt',
      });
    case 'budget_spent':
      return deny('BAD_REQUEST', 'This budget is used up. Create a new key instead.');
    case 'keeps_too_much':
      return deny('BAD_REQUEST', `Enter less than $${formatUsd(denial.leftNanoUsd)} for the old key.`, {
        field: 'rotation.keepUsd',
      });
  }
}
