import type { ComponentProps } from 'react';
import { Field } from './field.tsx';
import { Input } from './input.tsx';

interface TypedFieldProps extends ComponentProps<'input'> {
  /** Must be typed exactly. */
  phrase: string;
  error?: string | undefined;
}

/** A field for a name that confirms an action, without autofill. */
export function TypedField({ phrase, error, ...rest }: TypedFieldProps) {
  return (
    <Field label={<TypeWhat phrase={phrase} purpose="to confirm" />} error={error}>
      {(control) => (
        <Input {...control} {...rest} autoComplete="off" autoCapitalize="none" spellCheck={false} />
      )}
    </Field>
  );
}

/** Label that highlights the phrase to type. */
export function TypeWhat({ phrase, purpose }: { phrase: string; purpose: string }) {
  return (
    <>
      Type{' '}
      <span className="rounded-[5px] bg-sunken px-1 py-0.5 font-mono text-[12px] break-words select-all">
        {phrase}
      </span>{' '}
      {purpose}
    </>
  );
}
