/** Where the program keeps what. Nothing allocates: the body is at `BODY`, and its outline is written over it. */

/** Of each open container: its opening bracket, and the kind of an object in its current value. */
export const BRACKETS: usize = 1024;
export const INNER: usize = 1536;
export const MAX_DEPTH: u32 = 500;
/** 1 for the letter behind a backslash. */
export const ESCAPES: usize = 2048;
/** 1 for a character of a URL scheme. */
export const SCHEME_SIGNS: usize = 2304;
/** Of each open container: how many names all outer objects have. */
export const BASES: usize = 2560;
/** Four offsets of each member of the body: its name, the byte after the name, its value, and the byte after it. */
export const PLACES: usize = 4608;
export const MAX_PLACES: u32 = 256;
/** The known names by their hash: hash, offset, length and rules of each. Texts of this program are before it. */
export const KNOWN: usize = 12288;
export const KNOWN_SLOTS: u32 = 1024;
export const KNOWN_TEXT: usize = 28672;
/** Hashes of the names of all open objects. */
export const SEEN: usize = 40960;
export const MAX_SEEN: u32 = 4096;
/** 16 bytes of a search. */
export const LANES: usize = 57344;
/** Lists of texts that are searched. */
export const MARKS: usize = 57360;
/** Begin and end of each idle member in the outline. */
export const IDLE: usize = 65536;
export const MAX_IDLE: u32 = 4096;
export const BODY: usize = 98304;
/** Zeros behind the body: no loop runs past them. */
export const PADDING: usize = 64;

export const QUOTE: u32 = 0x22;
export const COMMA: u32 = 0x2c;
export const MINUS: u32 = 0x2d;
export const SLASH: u32 = 0x2f;
export const COLON: u32 = 0x3a;
export const OPEN_LIST: u32 = 0x5b;
export const BACKSLASH: u32 = 0x5c;
export const CLOSE_LIST: u32 = 0x5d;
export const LETTER_U: u32 = 0x75;
export const OPEN_OBJECT: u32 = 0x7b;

/** Why there is no outline. */
export const INVALID: i32 = -1;
export const LONE_SURROGATE: i32 = -2;
export const TOO_MANY: i32 = -3;
