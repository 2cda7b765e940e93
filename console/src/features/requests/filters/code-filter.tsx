import { STORED_CODES } from '@tollgate/core/errors/stored-codes';
import { Select } from '../../../components/ui/select.tsx';

interface CodeFilterProps {
  code: string | undefined;
  onChange: (code: string | undefined) => void;
}

export function CodeFilter({ code = '', onChange }: CodeFilterProps) {
  return (
    <Select
      aria-label="Error code"
      value={code}
      onChange={(event) => onChange(event.target.value === '' ? undefined : event.target.value)}
    >
      <option value="">Error</option>
      {code !== '' && !STORED_CODES.some((known) => known === code) && <option value={code}>{code}</option>}
      {STORED_CODES.map((value) => (
        <option key={value} value={value}>
          {value}
        </option>
      ))}
    </Select>
  );
}
