import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/**
 * Knowledge bases. The full-text index of a base is a table of its own, `knowledge_words_SEQ`, made with the base: ranking
 * then depends on nothing of another base.
 */
export const knowledge: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createTable("knowledge_bases")
      .addColumn("seq", "integer", (column) => column.primaryKey().autoIncrement())
      .addColumn("id", "text", (column) => column.notNull().unique())
      .addColumn("name", "text", (column) => column.notNull().unique())
      .addColumn("created_at", "text", (column) => column.notNull())
      .addColumn("changed_at", "text", (column) => column.notNull())
      .execute();
    await db.schema
      .createTable("knowledge_roots")
      .addColumn("base", "integer", (column) => column.notNull())
      .addColumn("name", "text", (column) => column.notNull())
      .addColumn("path", "text", (column) => column.notNull())
      .addColumn("created_at", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("knowledge_roots_key", ["base", "name"])
      .execute();
    await db.schema
      .createTable("knowledge_documents")
      .addColumn("seq", "integer", (column) => column.primaryKey().autoIncrement())
      .addColumn("base", "integer", (column) => column.notNull())
      .addColumn("root", "text", (column) => column.notNull())
      .addColumn("source", "text", (column) => column.notNull())
      .addColumn("format", "text", (column) => column.notNull())
      .addColumn("bytes", "integer", (column) => column.notNull())
      .addColumn("sha256", "text", (column) => column.notNull())
      .addColumn("chunks", "integer", (column) => column.notNull())
      .addColumn("problem", "text")
      .addColumn("ingested_at", "text", (column) => column.notNull())
      .addUniqueConstraint("knowledge_documents_source", ["base", "source"])
      .execute();
    await db.schema
      .createTable("knowledge_chunks")
      .addColumn("seq", "integer", (column) => column.primaryKey().autoIncrement())
      .addColumn("base", "integer", (column) => column.notNull())
      .addColumn("document", "integer", (column) => column.notNull())
      .addColumn("text", "text", (column) => column.notNull())
      .addColumn("position", "text", (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex("knowledge_chunks_by_document")
      .on("knowledge_chunks")
      .columns(["document", "seq"])
      .execute();
    await db.schema.createIndex("knowledge_chunks_by_base").on("knowledge_chunks").columns(["base", "seq"]).execute();
    await db.schema
      .createTable("knowledge_vectors")
      .addColumn("chunk", "integer", (column) => column.primaryKey())
      .addColumn("base", "integer", (column) => column.notNull())
      .addColumn("model", "text", (column) => column.notNull())
      .addColumn("vector", "blob", (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex("knowledge_vectors_by_base")
      .on("knowledge_vectors")
      .columns(["base", "model", "chunk"])
      .execute();
  },
};
