import { type ColumnDefinitionNode, DataTypeNode, PostgresQueryCompiler } from "kysely";

/**
 * Migrations name types as SQLite knows them. Here text is compared byte by byte, as there: ids, cursors and ranges of
 * prefixes rest on that order, and no locale may change it. Whole numbers have 64 bits.
 */
const TYPES: Readonly<Record<string, string>> = {
  text: 'text collate "C"',
  integer: "bigint",
  blob: "bytea",
};

export class LedgerPostgresCompiler extends PostgresQueryCompiler {
  protected override visitDataType(node: DataTypeNode): void {
    this.append(TYPES[node.dataType] ?? node.dataType);
  }

  protected override visitColumnDefinition(node: ColumnDefinitionNode): void {
    const serial = { ...node, autoIncrement: false, dataType: DataTypeNode.create("bigserial") };
    super.visitColumnDefinition(node.autoIncrement ? serial : node);
  }
}
