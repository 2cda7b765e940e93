import { useState } from 'react';
import { Field } from '../../components/ui/field.tsx';
import { Input } from '../../components/ui/input.tsx';

interface NumberFieldProps {
  label: string;
  placeholder: string;
  /** undefined: the model's own. */
  value: number | undefined;
  least: number;
  most: number;
  isWhole?: boolean;
  onChange: (value: number | undefined) => void;
}

/** An optional number; invalid input shows an error and changes nothing. */
export function NumberField(props: NumberFieldProps) {
  const { label, placeholder, value, least, most, isWhole = false, onChange } = props;
  const [text, setText] = useState(value === undefined ? '' : String(value));
  const parsed = parseNumber(text);
  const isGood =
    parsed === undefined || (parsed >= least && parsed <= most && (!isWhole || Number.isInteger(parsed)));
  return (
    <Field
      label={label}
      error={isGood ? undefined : `Enter a ${isWhole ? 'whole number' : 'number'} from ${least} to ${most}`}
    >
      {(control) => (
        <Input
          {...control}
          inputMode={isWhole ? 'numeric' : 'decimal'}
          placeholder={placeholder}
          autoComplete="off"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            const next = parseNumber(event.target.value);
            if (next === undefined || (next >= least && next <= most && (!isWhole || Number.isInteger(next))))
              onChange(next);
          }}
        />
      )}
    </Field>
  );
}

/** @returns undefined if the field is empty, NaN if it is not a number */
function parseNumber(text: string): number | undefined {
  const plain = text.trim();
  if (plain === '') return undefined;
  return /^\d+(\.\d*)?$/.test(plain) ? Number(plain) : NaN;
}
