import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { formatUsd } from '@tollgate/core/money/money';
import { useRef } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { paths } from '../../lib/paths.ts';
import { AlertDialog, AlertDialogActions, AlertDialogContent } from '../../components/ui/alert-dialog.tsx';
import { DialogBody } from '../../components/ui/dialog.tsx';
import { Field } from '../../components/ui/field.tsx';
import { Form } from '../../components/ui/form.tsx';
import { FormError } from '../../components/ui/form-error.tsx';
import { MoneyInput } from '../../components/ui/money-input.tsx';
import { TypedField, TypeWhat } from '../../components/ui/typed-field.tsx';
import { applyServerErrors, fieldNamed } from '../../lib/api-error.ts';
import { forgetSession, useSession } from '../../lib/session.ts';
import { trpc, type Deletion } from '../../lib/trpc.ts';

/** Requires typing the address and the balance, to prevent accidental deletion. */
export function DeleteLoginDialog({ deletion, onClose }: { deletion: Deletion; onClose: () => void }) {
  const { user } = useSession();
  const navigate = useNavigate();
  const first = useRef<HTMLInputElement | null>(null);
  const email = user?.email ?? '';
  const balance = formatUsd(BigInt(deletion.balanceNanoUsd));
  const hasBalance = BigInt(deletion.balanceNanoUsd) > 0n;
  const form = useForm({ defaultValues: { email: '', giveUpUsd: '' } });
  const { ref: emailRef, ...emailField } = form.register('email');
  const typed = useWatch({ control: form.control });
  const isTyped =
    typed.email?.trim().toLowerCase() === email && (!hasBalance || typed.giveUpUsd?.trim() === balance);
  const remove = useMutation(
    trpc.settings.deleteLogin.mutationOptions({
      onSuccess: async () => {
        await forgetSession();
        await navigate({ to: paths.signIn, search: { reason: 'deleted' } });
      },
      onError: (error) => applyServerErrors(form, error, fieldNamed('email', 'giveUpUsd')),
    }),
  );
  const { errors } = form.formState;
  return (
    <AlertDialog open onOpenChange={(isOpen) => !isOpen && !remove.isPending && onClose()}>
      <AlertDialogContent
        title="Delete your account?"
        description={describeLoss(deletion.keys)}
        initialFocus={first}
      >
        <Form
          onSubmit={form.handleSubmit((values) => {
            if (isTyped) remove.mutate(values);
          })}
        >
          <DialogBody>
            <TypedField
              phrase={email}
              error={errors.email?.message}
              {...emailField}
              ref={(node) => {
                emailRef(node);
                first.current = node;
              }}
            />
            {hasBalance && (
              <Field
                label={<TypeWhat phrase={balance} purpose={`to forfeit your balance of $${balance}`} />}
                error={errors.giveUpUsd?.message}
              >
                {(control) => <MoneyInput {...control} {...form.register('giveUpUsd')} />}
              </Field>
            )}
            <FormError message={errors.root?.message} />
          </DialogBody>
          <AlertDialogActions disabled={!isTyped} isPending={remove.isPending}>
            Delete account
          </AlertDialogActions>
        </Form>
      </AlertDialogContent>
    </AlertDialog>
  );
}

function describeLoss(keys: number): string {
  const stopped =
    keys === 0 ? '' : `${keys === 1 ? 'One key stops' : `${keys} keys stop`} working immediately. `;
  return `${stopped}This can't be undone.`;
}
