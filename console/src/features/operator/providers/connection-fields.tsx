import { Controller, useFormContext, useWatch } from 'react-hook-form';
import { Checkbox } from '../../../components/ui/checkbox.tsx';
import { Field } from '../../../components/ui/field.tsx';
import { PasswordInput } from '../../../components/ui/password-input.tsx';
import { Select } from '../../../components/ui/select.tsx';
import { Textarea } from '../../../components/ui/textarea.tsx';
import type { OperatorProvider } from '../operator-types.ts';
import type { ProviderForm } from './provider-form.ts';

/** Forward proxy, certificates and HTTP/2. The proxy URL is write-only, because it may contain a password. */
export function ConnectionFields({ provider }: { provider: OperatorProvider | null }) {
  const { control: formControl, register, formState } = useFormContext<ProviderForm>();
  const proxy = useWatch({ control: formControl, name: 'connection.proxy' });
  const errors = formState.errors.connection;
  const stored = provider?.proxy ?? null;
  return (
    <fieldset className="grid gap-[15px]">
      <legend className="mb-2 text-[13px] font-medium">Connection</legend>
      <Controller
        control={formControl}
        name="connection.proxy"
        render={({ field }) => (
          <Field label="Forward proxy">
            {(control) => (
              <Select {...control} {...field}>
                <option value="environment">From HTTPS_PROXY and HTTP_PROXY</option>
                <option value="direct">No proxy</option>
                <option value="own">Proxy URL</option>
              </Select>
            )}
          </Field>
        )}
      />
      {proxy === 'own' && (
        <Field
          label="Proxy URL"
          hint={
            stored === null || stored === 'direct'
              ? 'Stored encrypted, such as http://user:password@proxy.example.com:3128'
              : `Leave empty to keep ${stored}`
          }
          error={errors?.proxyUrl?.message}
        >
          {(control) => (
            <PasswordInput
              {...control}
              {...register('connection.proxyUrl')}
              autoComplete="off"
              spellCheck={false}
            />
          )}
        </Field>
      )}
      <Field
        label="CA certificates"
        hint="PEM. Trusted in addition to the default certificates."
        error={errors?.caCertificates?.message}
      >
        {(control) => (
          <Textarea {...control} {...register('connection.caCertificates')} rows={3} spellCheck={false} />
        )}
      </Field>
      <Controller
        control={formControl}
        name="connection.http2"
        render={({ field }) => (
          <Checkbox label="Use HTTP/2 if offered" checked={field.value} onCheckedChange={field.onChange} />
        )}
      />
    </fieldset>
  );
}
