import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { emailSchema } from '@tollgate/core/keys/credentials';
import { INVITABLE_ROLES } from '@tollgate/core/people/roles';
import { useId } from 'react';
import { Controller, useForm } from 'react-hook-form';
import { toast } from '../../lib/toast.ts';
import { z } from 'zod';
import { Dialog, DialogActions, DialogBody, DialogContent } from '../../components/ui/dialog.tsx';
import { Field, FieldMessage } from '../../components/ui/field.tsx';
import { Form } from '../../components/ui/form.tsx';
import { FormError } from '../../components/ui/form-error.tsx';
import { Input } from '../../components/ui/input.tsx';
import { Segmented } from '../../components/ui/segmented.tsx';
import { applyServerErrors, fieldNamed } from '../../lib/api-error.ts';
import { trpc, type Account } from '../../lib/trpc.ts';
import { ROLE_CHOICES, ROLE_RIGHTS } from './roles.ts';
import { refreshTeam } from './use-team.ts';

const schema = z.object({ email: emailSchema, role: z.enum(INVITABLE_ROLES) });

interface InviteDialogProps {
  account: Account;
  onClose: () => void;
  onCloseAutoFocus: (event: Event) => void;
}

/** Invites an email address; no login is required. */
export function InviteDialog({ account, onClose, onCloseAutoFocus }: InviteDialogProps) {
  const roleHintId = useId();
  const form = useForm<z.infer<typeof schema>>({
    resolver: zodResolver(schema),
    defaultValues: { email: '', role: 'member' },
  });
  const invite = useMutation(
    trpc.team.invite.mutationOptions({
      onSuccess: async (_, { email }) => {
        await refreshTeam();
        onClose();
        toast.success(`Invitation sent to ${email}`, {
          description: 'The link in the email works for 7 days.',
        });
      },
      onError: (error) => applyServerErrors(form, error, fieldNamed('email', 'role')),
    }),
  );
  const { errors } = form.formState;
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && !invite.isPending && onClose()}>
      <DialogContent
        title="Invite member"
        description={`We email a link to join ${account.name}. Only this address can accept it.`}
        className="max-w-[480px]"
        onCloseAutoFocus={onCloseAutoFocus}
      >
        <Form onSubmit={form.handleSubmit((values) => invite.mutate({ accountId: account.id, ...values }))}>
          <DialogBody>
            <Field label="Email" error={errors.email?.message}>
              {(control) => (
                <Input
                  {...control}
                  {...form.register('email')}
                  type="email"
                  autoComplete="off"
                  placeholder="colleague@example.com"
                />
              )}
            </Field>
            <Controller
              control={form.control}
              name="role"
              render={({ field }) => (
                <div>
                  <div aria-hidden className="mb-[5px] text-[13px] font-medium">
                    Role
                  </div>
                  <Segmented
                    label="Role"
                    value={field.value}
                    options={ROLE_CHOICES}
                    onValueChange={field.onChange}
                    aria-describedby={roleHintId}
                  />
                  <FieldMessage id={roleHintId} hint={`${ROLE_RIGHTS[field.value]}.`} />
                </div>
              )}
            />
            <FormError message={errors.root?.message} />
          </DialogBody>
          <DialogActions isPending={invite.isPending}>Send invitation</DialogActions>
        </Form>
      </DialogContent>
    </Dialog>
  );
}
