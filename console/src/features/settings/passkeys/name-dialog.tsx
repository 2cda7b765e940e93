import { zodResolver } from '@hookform/resolvers/zod';
import { passkeyNameSchema } from '@tollgate/core/keys/credentials';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { Dialog, DialogActions, DialogBody, DialogContent } from '../../../components/ui/dialog.tsx';
import { Field } from '../../../components/ui/field.tsx';
import { Form } from '../../../components/ui/form.tsx';
import { FormError } from '../../../components/ui/form-error.tsx';
import { Input } from '../../../components/ui/input.tsx';
import { describeError } from '../../../lib/api-error.ts';

const schema = z.object({ name: passkeyNameSchema });

interface NameDialogProps {
  title: string;
  description: string;
  action: string;
  name: string;
  isPending: boolean;
  /** null: no error. */
  error: unknown;
  onSubmit: (name: string) => void;
  onClose: () => void;
}

/** Asks for the name of a passkey. */
export function NameDialog(props: NameDialogProps) {
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { name: props.name } });
  const { errors } = form.formState;
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && props.onClose()}>
      <DialogContent title={props.title} description={props.description} className="max-w-[420px]">
        <Form onSubmit={form.handleSubmit(({ name }) => props.onSubmit(name))}>
          <DialogBody>
            <Field label="Name" error={errors.name?.message}>
              {(control) => <Input {...control} {...form.register('name')} autoComplete="off" />}
            </Field>
            <FormError message={props.error === null ? undefined : describeError(props.error)} />
          </DialogBody>
          <DialogActions isPending={props.isPending}>{props.action}</DialogActions>
        </Form>
      </DialogContent>
    </Dialog>
  );
}
