import type { ComponentProps } from 'react';
import { Field } from './field.tsx';
import { Input } from './input.tsx';

interface TypedFieldProps extends ComponentProps<'input'> {
  /** What has to be typed, letter by letter. */
  phrase: string;
  error?: string | undefined;
}

/** Asks for a name to be typed before something final happens; no keyboard helps with it. */
export function TypedField({ phrase, error, ...rest }: TypedFieldProps) {
  return (
    <Field label={<TypeWhat phrase={phrase} purpose="to confirm" />} error={error}>
      {(control) => (
        <Input {...control} {...rest} autoComplete="off" autoCapitalize="none" spellCheck={false} />
      )}
    </Field>
  );
}

/** The label of such a field: what is to be typed stands apart from the words around it. */
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
