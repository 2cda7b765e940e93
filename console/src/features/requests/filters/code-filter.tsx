import { Select } from '../../../components/ui/select.tsx';
import { ERROR_CODES } from '../error-codes.ts';

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
      {code !== '' && !ERROR_CODES.includes(code) && <option value={code}>{code}</option>}
      {ERROR_CODES.map((value) => (
        <option key={value} value={value}>
          {value}
        </option>
      ))}
    </Select>
  );
}
