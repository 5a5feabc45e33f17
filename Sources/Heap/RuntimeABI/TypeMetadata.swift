private let kinds = "include/swift/ABI/MetadataKind.def"
private let header = "include/swift/ABI/Metadata.h"
private let values = "include/swift/ABI/MetadataValues.h"
private let records = "include/swift/RemoteInspection/Records.h"
private let witnesses = "include/swift/ABI/ValueWitness.def"

/// The first word of metadata, which says what it describes.
package struct KindRows: Sendable {
  /// A class written in Swift.
  package let classObject: UInt = row(0, kinds, .classes)
  /// A structure.
  package let structure: UInt = row(0x200, kinds, .structures)
  /// An enumeration other than `Optional`.
  package let enumeration: UInt = row(0x201, kinds, .enumerations)
  /// `Optional`.
  package let optional: UInt = row(0x202, kinds, .enumerations)
  /// A tuple.
  package let tuple: UInt = row(0x301, kinds, .tuples)
  /// `Any`, `any Protocol`.
  package let existential: UInt = row(0x303, kinds, .existentials)
  /// `any Protocol<Argument>`.
  package let extendedExistential: UInt = row(0x307, kinds, .existentials)
  /// A closure's captures. The lowest kind that does not describe a type.
  package let context: UInt = row(0x400, kinds, .closures)
  /// The box of a variable of a generic type.
  package let genericBox: UInt = row(0x500, kinds, .boxes)
  /// A thrown error.
  package let error: UInt = row(0x501, kinds, .errors)
}

/// What all metadata has.
package struct MetadataRows: Sendable {
  /// How far before heap metadata the function is that destroys the block.
  package let destroyer: UInt = row(16, header, .classes)
  /// How far before a type's metadata the address of its value witness table is.
  package let witnesses: UInt = row(8, header, .structures)
}

/// The metadata of structures, enumerations, tuples and existentials.
package struct TypeRows: Sendable {
  /// Where the address of the type's descriptor is.
  package let descriptor: UInt = row(8, header, .structures)
  /// Where the generic arguments begin.
  package let arguments: UInt = row(16, header, .structures)
  /// Where a structure's descriptor has the number of properties.
  package let fieldCount: UInt = row(20, header, .structures)
  /// Where a structure's descriptor has the place, in words, of the properties' offsets in the
  /// metadata.
  package let fieldOffsets: UInt = row(24, header, .structures)
  /// How long such an offset is.
  package let fieldOffsetSize: UInt = row(4, header, .structures)
  /// Where an enumeration's descriptor has the number of cases with a payload.
  package let payloadCases: UInt = row(20, header, .enumerations)
  /// How many bits that number has.
  package let payloadCaseBits: UInt = row(24, header, .enumerations, mutant: 0)
  /// Where a tuple's metadata has the number of elements.
  package let tupleCount: UInt = row(8, header, .tuples)
  /// Where the elements begin.
  package let tupleElements: UInt = row(24, header, .tuples)
  /// How long an element is. It begins with the address of its type's metadata.
  package let tupleElementSize: UInt = row(16, header, .tuples)
  /// Where an element has its offset in the tuple: four bytes, and four that nothing writes.
  package let tupleOffset: UInt = row(8, header, .tuples)
  /// Where an existential's metadata has its flags.
  package let existentialFlags: UInt = row(8, header, .existentials)
  /// What the kind bits of a structure's descriptor say.
  package let structureKind: UInt32 = row(17, values, .structures)
  /// What those of an enumeration's descriptor say.
  package let enumerationKind: UInt32 = row(18, values, .enumerations)
  /// Set in the flags when a value of any type, not only of a class, can be in it.
  package let anyValueBit: UInt = row(31, values, .existentials)

  /// The size of a structure's or an enumeration's descriptor.
  package var descriptorSize: UInt { fieldOffsets + 4 }
}

/// Class metadata and class descriptors.
package struct ClassRows: Sendable {
  /// Where the metadata has the address of the superclass's metadata.
  package let superclass: UInt = row(8, header, .classes)
  /// Where it has the offset of an instance's beginning, which is 0.
  package let addressPoint: UInt = row(20, header, .classes)
  /// Where it has the size of an instance.
  package let instanceSize: UInt = row(24, header, .classes)
  /// Where it has the address of the descriptor.
  package let descriptor: UInt = row(40, header, .classes)
  /// The bits of a descriptor's flags that say its kind and its version.
  package let kindBits: UInt32 = row(0xff1f, values, .classes)
  /// What they say of a class.
  package let kind: UInt32 = row(16, values, .classes)
  /// Set in the flags when the type is generic.
  package let genericBit: UInt32 = row(7, values, .structures)
  /// Set when the superclass's size can change with its library.
  package let resilientBit: UInt32 = row(29, values, .resilientClasses)
  /// Where a descriptor has its name, as a relative address; the same for all types.
  package let name: UInt = row(8, header, .classes)
  /// Where it has the function that makes the metadata.
  package let accessor: UInt = row(12, header, .classes)
  /// Where it has the records of the properties; the same for all types.
  package let fields: UInt = row(16, header, .classes)
  /// Where it has the address of the members' place in the metadata, for a resilient superclass.
  package let resilientBounds: UInt = row(24, header, .resilientClasses)
  /// Where it has the number of words in the metadata.
  package let positiveWords: UInt = row(28, header, .classes)
  /// Where it has how many of these the class adds to its superclass's.
  package let immediateMembers: UInt = row(32, header, .classes)
  /// Where it has the number of properties.
  package let fieldCount: UInt = row(36, header, .classes)
  /// Where it has the place, in words, of the properties' offsets in the metadata.
  package let fieldOffsets: UInt = row(40, header, .classes)

  /// How much of class metadata is read, beside what the class adds.
  package var metadataSize: UInt { descriptor + 16 }
  /// How much of a descriptor is read.
  package var descriptorSize: UInt { fieldOffsets + 4 }
}

private let generics = "include/swift/ABI/GenericContext.h"

/// What follows the descriptor of a generic type.
package struct GenericRows: Sendable {
  /// Where the number of parameters is: two bytes.
  package let counts: UInt = row(8, generics, .genericTypes)
  /// Where it is how many words the arguments take in the metadata: two bytes.
  package let keys: UInt = row(12, generics, .genericTypes)
  /// Where the parameters are: one byte for each.
  package let parameters: UInt = row(16, generics, .genericTypes)
  /// Set in a parameter's byte when the metadata keeps its argument.
  package let keyBit: UInt32 = row(7, values, .genericTypes)
  /// How many bits of the byte say its kind, which is 0 for a type.
  package let kindBits: UInt32 = row(6, values, .genericTypes, mutant: 8)
}

/// The records that describe stored properties and cases.
package struct FieldRows: Sendable {
  /// Where the first record is.
  package let first: UInt = row(16, records, .classes)
  /// How long a record is. It begins with its flags.
  package let size: UInt = row(12, records, .classes)
  /// Where a record has the mangled name of the type, as a relative address.
  package let type: UInt = row(4, records, .classes)
  /// Where it has the property's name.
  package let name: UInt = row(8, records, .classes)
  /// Set in the flags of an indirect case.
  package let indirectBit: UInt32 = row(0, records, .indirectCases)
  /// What the compiler puts before the name of a lazy property.
  package let lazyPrefix = row("$__lazy_storage_$_", "lib/Sema/CodeSynthesis.cpp", .lazyProperties)
}

/// A type's value witness table.
package struct WitnessRows: Sendable {
  /// Where a value's size is.
  package let size: UInt = row(64, witnesses, .structures)
  /// Where the distance between two values in an array is.
  package let stride: UInt = row(72, witnesses, .structures)
  /// Where the flags are.
  package let flags: UInt = row(80, witnesses, .structures)
  /// Where the function is that tells an enumeration's case; present for enumerations only.
  package let enumTag: UInt = row(88, witnesses, .enumerations)
  /// The bits of the flags that are the alignment less one.
  package let alignmentBits: UInt32 = row(0xff, values, .closures)
  /// Set when copying a value takes more than copying its bytes.
  package let notPlainBit: UInt32 = row(16, values, .structures)
  /// Set when an existential keeps the value in a box.
  package let notInlineBit: UInt32 = row(17, values, .existentials)

  /// How much of a table is read for any type.
  package var tableSize: UInt { flags + 4 }
}
