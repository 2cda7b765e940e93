import { zodResolver } from '@hookform/resolvers/zod';
import { formatUsd } from '@tollgate/core/money/money';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { Dialog, DialogActions, DialogBody, DialogContent } from '../../../components/ui/dialog.tsx';
import { Form } from '../../../components/ui/form.tsx';
import { FormError } from '../../../components/ui/form-error.tsx';
import { TypedField } from '../../../components/ui/typed-field.tsx';
import { applyServerErrors, fieldNamed } from '../../../lib/api-error.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { trpc, type KeyRow } from '../../../lib/trpc.ts';
import { focusOn, menuButtonId } from '../focus-return.ts';
import { KeepField } from './keep-field.tsx';
import { OverlapField } from './overlap-field.tsx';
import { rotateFormSchema, type RotateForm, type RotateInput } from './rotate-form.ts';

const NANOS_PER_CENT = 10_000_000n;

interface RotateDialogProps {
  accountId: string;
  row: KeyRow;
  /** ID of the element that receives the focus on close; defaults to the menu of the key's row. */
  returnTo?: string;
  onClose: () => void;
  onRotated: (created: { key: KeyRow; secret: string }) => void;
}

/** Creates a key with the same scope and sets how long the old key keeps working. */
export function RotateDialog({ accountId, row, returnTo, onClose, onRotated }: RotateDialogProps) {
  const leftNanoUsd = computeRemaining(row);
  const form = useForm<RotateForm, unknown, RotateInput>({
    resolver: zodResolver(rotateFormSchema),
    defaultValues: {
      overlap: '24h',
      endsAt: '',
      keepUsd: leftNanoUsd === null ? '' : formatUsd(halve(leftNanoUsd)),
    },
  });
  const [typed, setTyped] = useState('');
  const overlap = useWatch({ control: form.control, name: 'overlap' });
  // Without an overlap the old key is revoked, which requires typing its name.
  const isConfirmed = overlap !== 'none' || typed.trim() === row.name;
  const rotate = useMutation(
    trpc.keys.rotate.mutationOptions({
      onSuccess: (created) => {
        void queryClient.invalidateQueries(trpc.keys.pathFilter());
        onRotated(created);
      },
      onError: (error) => applyServerErrors(form, error, fieldNamed('endsAt', 'keepUsd')),
    }),
  );
  const submit = form.handleSubmit((rotation) => {
    if (isConfirmed) rotate.mutate({ accountId, keyId: row.id, rotation });
  });
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && !rotate.isPending && onClose()}>
      <DialogContent
        title={<span className="break-words">Rotate {row.name}</span>}
        description="Creates a new key with the same models, limits and expiry. You choose when the old key stops."
        onCloseAutoFocus={focusOn(returnTo ?? menuButtonId(row.id))}
      >
        <Form onSubmit={submit}>
          <DialogBody>
            <OverlapField form={form} />
            {leftNanoUsd !== null && overlap !== 'none' && (
              <KeepField form={form} leftNanoUsd={leftNanoUsd} />
            )}
            {overlap === 'none' && (
              <>
                <p className="text-[13px] text-ink-2">
                  Requests with the old key are rejected within a second, and active streams end.
                  {leftNanoUsd !== null && ' The remaining budget moves to the new key.'}
                </p>
                <TypedField
                  phrase={row.name}
                  value={typed}
                  onChange={(event) => setTyped(event.target.value)}
                />
              </>
            )}
            <FormError message={form.formState.errors.root?.message} />
          </DialogBody>
          <DialogActions
            variant={overlap === 'none' ? 'danger' : 'primary'}
            disabled={!isConfirmed}
            isPending={rotate.isPending}
          >
            {overlap === 'none' ? 'Rotate and revoke' : 'Rotate key'}
          </DialogActions>
        </Form>
      </DialogContent>
    </Dialog>
  );
}

/** Half, in whole cents: nine decimals are hard to read. */
function halve(leftNanoUsd: bigint): bigint {
  const half = leftNanoUsd / 2n;
  return half < NANOS_PER_CENT ? half : half - (half % NANOS_PER_CENT);
}

/** @returns null if the key has no budget */
function computeRemaining({ shareNanoUsd, spentNanoUsd }: KeyRow): bigint | null {
  if (shareNanoUsd === null) return null;
  const left = BigInt(shareNanoUsd) - BigInt(spentNanoUsd);
  return left > 0n ? left : 0n;
}
