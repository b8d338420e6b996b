/** Tables of a database that several machines share. A ledger of one machine has none of them. */
export interface SharingTables {
  members: MembersTable;
  member_keys: MemberKeysTable;
  contents: ContentsTable;
  content_parts: ContentPartsTable;
}

/** A home that uses the database: one on each machine. */
export interface MembersTable {
  id: string;
  /** For people: where it is. */
  host: string;
  home: string;
  joined_at: string;
  seen_at: string;
}

/** The public halves of the keys that members sign with, those of the past included. */
interface MemberKeysTable {
  id: string;
  member: string;
  /** As `PublicKeyInfo.spki`. */
  spki: string;
  added_at: string;
}

interface ContentsTable {
  sha256: string;
  size: number;
  stored_at: string;
}

interface ContentPartsTable {
  sha256: string;
  part: number;
  bytes: Buffer;
}
