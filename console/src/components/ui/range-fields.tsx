import { fromLocalField, toLocalField } from '../../lib/format/local-field.ts';
import { Input } from './input.tsx';

interface RangeFieldsProps {
  /** ISO time, as all times here; undefined: the field is empty. */
  from: string | undefined;
  to: string | undefined;
  onFromChange: (from: string | undefined) => void;
  onToChange: (to: string | undefined) => void;
  /** Classes of each field. */
  className?: string;
}

/** The two ends of a time range, in the user's time zone. */
export function RangeFields({ from, to, onFromChange, onToChange, className }: RangeFieldsProps) {
  return (
    <>
      <Input
        type="datetime-local"
        aria-label="From"
        className={className}
        value={toLocalField(from)}
        onChange={({ target }) => onFromChange(fromLocalField(target.value))}
      />
      <Input
        type="datetime-local"
        aria-label="To"
        className={className}
        value={toLocalField(to)}
        onChange={({ target }) => onToChange(fromLocalField(target.value))}
      />
    </>
  );
}
