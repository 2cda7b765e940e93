import { Controller, useFormContext } from 'react-hook-form';
import { Checkbox } from '../../../components/ui/checkbox.tsx';
import { Field } from '../../../components/ui/field.tsx';
import { Input } from '../../../components/ui/input.tsx';
import { PasswordInput } from '../../../components/ui/password-input.tsx';
import { Select } from '../../../components/ui/select.tsx';
import { errorMessageAt } from '../error-message.ts';
import type { OperatorPreset, OperatorProvider } from '../operator-types.ts';
import { ConnectionFields } from './connection-fields.tsx';
import { HeaderFields } from './header-fields.tsx';
import { NUMBERS, type ProviderForm } from './provider-form.ts';

interface ProviderFieldsProps {
  /** null for a new provider. */
  provider: OperatorProvider | null;
  /** null for a custom endpoint. */
  preset: OperatorPreset | null;
}

export function ProviderFields({ provider, preset }: ProviderFieldsProps) {
  const { register, formState } = useFormContext<ProviderForm>();
  const { errors } = formState;
  return (
    <>
      {provider === null && (
        <Field label="Name" hint="Shown in routes and the request log" error={errors.name?.message}>
          {(control) => <Input {...control} {...register('name')} autoCapitalize="none" spellCheck={false} />}
        </Field>
      )}
      {provider === null && preset === null && (
        <Field label="API format">
          {(control) => (
            <Select {...control} {...register('dialect')}>
              <option value="openai-chat">OpenAI Chat Completions</option>
              <option value="anthropic-messages">Anthropic Messages</option>
              <option value="openai-responses">OpenAI Responses</option>
            </Select>
          )}
        </Field>
      )}
      {preset?.settings.map(({ name, about }) => (
        <Field
          key={name}
          label={capitalise(name)}
          hint={capitalise(about)}
          error={errorMessageAt(errors, 'settings')}
        >
          {(control) => <Input {...control} {...register(`settings.${name}`)} spellCheck={false} />}
        </Field>
      ))}
      <Field label="Base URL" hint={describeBaseUrl(preset)} error={errors.baseUrl?.message}>
        {(control) => (
          <Input
            {...control}
            {...register('baseUrl')}
            inputMode="url"
            placeholder={preset?.baseUrl ?? 'http://127.0.0.1:9000/v1'}
            spellCheck={false}
          />
        )}
      </Field>
      <CredentialField provider={provider} preset={preset} />
      <HeaderFields />
      <ConnectionFields provider={provider} />
      <Limits />
    </>
  );
}

function describeBaseUrl(preset: ProviderFieldsProps['preset']): string {
  if (preset === null) return 'Usually ends in /v1.';
  if (!preset.baseUrl.includes('{')) return 'Defaults to the URL of the provider.';
  return 'Built from the settings above. Enter a URL to replace it.';
}

/** Write-only: stored credentials are never sent to the browser. */
function CredentialField({ provider, preset }: ProviderFieldsProps) {
  const { control: formControl, register, formState } = useFormContext<ProviderForm>();
  const isThere = provider !== null && provider.credential.kind !== 'none';
  const form = preset?.credentialForm ?? 'an API key, if the server requires one';
  return (
    <>
      <Field
        label="Credential"
        hint={
          isThere ? `${capitalise(form)}. Leave empty to keep the stored credential.` : `${capitalise(form)}.`
        }
        error={formState.errors.credential?.message}
      >
        {(control) => (
          <PasswordInput {...control} {...register('credential')} autoComplete="off" spellCheck={false} />
        )}
      </Field>
      {isThere && (
        <Controller
          control={formControl}
          name="forgetsCredential"
          render={({ field }) => (
            <Checkbox
              label="Remove stored credential"
              checked={field.value}
              onCheckedChange={field.onChange}
            />
          )}
        />
      )}
    </>
  );
}

function Limits() {
  const { register, formState } = useFormContext<ProviderForm>();
  return (
    <fieldset>
      <legend className="mb-2 text-[13px] font-medium">Timeouts and concurrency</legend>
      <div className="grid gap-[15px] sm:grid-cols-2">
        {NUMBERS.map(({ name, label, unit, standard }) => (
          <Field
            key={name}
            label={label}
            hint={unit === 'ms' ? 'Milliseconds' : 'Leave empty for no limit'}
            error={formState.errors[name]?.message}
          >
            {(control) => (
              <Input {...control} {...register(name)} inputMode="numeric" placeholder={standard} />
            )}
          </Field>
        ))}
      </div>
    </fieldset>
  );
}

/** Presets name settings in lower case, as CLI options. */
function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
