import { deny, type GatewayError } from '@tollgate/core/errors/errors';
import { asObject, type JsonObject } from './parse-object.ts';

/** The member `key` of `object`; `at` is the path of the object in the body: `messages.0.`. */
export interface Member {
  object: JsonObject;
  key: string;
  at: string;
}

const MAX_PARAM_LENGTH = 200;

/**
 * Reads members of a request and remembers the first invalid one: reading continues with null, so that
 * mapping code stays free of error handling, and the decoder checks `error` once at its end.
 */
export class FieldReader {
  #error: GatewayError | null = null;

  get error(): GatewayError | null {
    return this.#error;
  }

  /** Notes that the field at `param` is wrong. */
  refuse(param: string, demand: string): null {
    const name = param.length > MAX_PARAM_LENGTH ? `${param.slice(0, MAX_PARAM_LENGTH)}…` : param;
    this.#error ??= deny('invalid_request', `${name} ${demand}.`, { param: name }).error;
    return null;
  }

  /** @returns null if the member is missing or null, or no string */
  string({ object, key, at }: Member): string | null {
    const value = object[key] ?? null;
    if (value === null || typeof value === 'string') return value;
    return this.refuse(at + key, 'must be a string');
  }

  requiredString(member: Member): string {
    const value = this.string(member);
    if (value === null || value === '')
      this.refuse(member.at + member.key, 'must be a string that is not empty');
    return value ?? '';
  }

  boolean({ object, key, at }: Member): boolean | null {
    const value = object[key] ?? null;
    if (value === null || typeof value === 'boolean') return value;
    return this.refuse(at + key, 'must be true or false');
  }

  number({ object, key, at }: Member, range: { min: number; max: number }): number | null {
    const value = object[key] ?? null;
    if (value === null) return null;
    if (typeof value === 'number' && value >= range.min && value <= range.max) return value;
    return this.refuse(at + key, `must be a number from ${range.min} to ${range.max}`);
  }

  integer(member: Member, range: { min: number; max: number }): number | null {
    const value = this.number(member, range);
    if (value === null || Number.isInteger(value)) return value;
    return this.refuse(member.at + member.key, `must be a whole number from ${range.min} to ${range.max}`);
  }

  oneOf<T extends string>({ object, key, at }: Member, values: readonly T[]): T | null {
    const value = object[key] ?? null;
    if (value === null) return null;
    const found = values.find((known) => known === value);
    return found ?? this.refuse(at + key, `must be one of ${values.join(', ')}`);
  }

  object({ object, key, at }: Member): JsonObject | null {
    const value = object[key] ?? null;
    return value === null ? null : (asObject(value) ?? this.refuse(at + key, 'must be an object'));
  }

  /** @returns an empty object if the member is none: reading continues, the error is noted */
  requiredObject(member: Member): JsonObject {
    const value = this.object(member);
    if (value === null) this.refuse(member.at + member.key, 'must be an object');
    return value ?? {};
  }

  list({ object, key, at }: Member): unknown[] | null {
    const value: unknown = object[key] ?? null;
    if (value === null) return null;
    if (Array.isArray(value)) return value;
    return this.refuse(at + key, 'must be a list');
  }

  /** The objects of a list, each with its path; any other entry is refused and left out. */
  objects(member: Member): { item: JsonObject; at: string }[] {
    return (this.list(member) ?? []).flatMap((value, index) => {
      const item = asObject(value);
      const place = `${member.at}${member.key}.${index}`;
      if (item === null) this.refuse(place, 'must be an object');
      return item === null ? [] : [{ item, at: `${place}.` }];
    });
  }
}
