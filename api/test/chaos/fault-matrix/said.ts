/** What a provider says in one response. */
export interface Said {
  /** One for each event of a stream. */
  pieces: readonly string[];
  calls: readonly SaidCall[];
  input: number;
  output: number;
}

interface SaidCall {
  id: string;
  name: string;
  /** JSON. */
  arguments: string;
}

/** The text has characters of two and four bytes, and characters that JSON escapes. */
export const FIRST: Said = {
  pieces: [
    'Der ',
    'Größe ',
    'nach: ',
    '"eins", ',
    'zwei\n',
    '🙂 ',
    'drei, ',
    'vier, ',
    'fünf, ',
    'sechs, ',
    'sieben ',
    'und acht.',
  ],
  calls: [],
  input: 20,
  output: 12,
};

export const SECOND: Said = {
  pieces: ['The ', 'second ', 'provider ', 'answers.'],
  calls: [],
  input: 25,
  output: 4,
};

export const NOTHING: Said = { ...FIRST, pieces: [], output: 1 };

export const TWO_CALLS: Said = {
  pieces: ['Let me ', 'look.'],
  calls: [
    { id: 'call_1', name: 'get_weather', arguments: '{"city":"Köln"}' },
    { id: 'call_2', name: 'get_weather', arguments: '{"city":"Oslo"}' },
  ],
  input: 30,
  output: 21,
};

export function getText({ pieces }: Said): string {
  return pieces.join('');
}
