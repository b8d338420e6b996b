/** A home on the list of those that use a database. */
export interface MemberInfo {
  id: string;
  host: string;
  home: string;
  joinedAt: string;
  seenAt: string;
  /** How many keys it has signed with. */
  keys: number;
}

export interface DatabaseStatus {
  /** Its address without password, or the file. */
  place: string;
  version: string;
  /** The last migration that it has had; null where it is new. */
  schema: string | null;
  /** Migrations that this version would make, and those of them after which older programs are refused. */
  pending: string[];
  breaking: string[];
  /** A copy into it is under way, or was stopped in the middle. */
  copying: boolean;
  members: MemberInfo[];
}
