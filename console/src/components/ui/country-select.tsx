import { COUNTRY_CODES, getCountryName } from '@tollgate/core/money/countries';
import type { ComponentProps } from 'react';
import { Select } from './select.tsx';

const COUNTRIES = COUNTRY_CODES.map((code) => ({ code, name: getCountryName(code) })).toSorted((a, b) =>
  a.name.localeCompare(b.name),
);

/** All countries by name; '' is `none`. */
export function CountrySelect({ none, ...rest }: ComponentProps<'select'> & { none: string }) {
  return (
    <Select {...rest}>
      <option value="">{none}</option>
      {COUNTRIES.map(({ code, name }) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </Select>
  );
}
