//===- ScopAttrs.td - Attributes of scop -------------------*- tablegen -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_SCOP_IR_SCOPATTRS_TD
#define GROUT_DIALECT_SCOP_IR_SCOPATTRS_TD

include "grout/Dialect/Scop/IR/ScopDialect.td"
include "grout/Scheduling/ScheduleEnums.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/EnumAttr.td"

def Scop_CoincidenceAttr
    : EnumAttr<Scop_Dialect, Schedule_Coincidence, "coincidence"> {
  // Of the attribute; the enum is the scheduling library's.
  let cppNamespace = Scop_Dialect.cppNamespace;
}

def Scop_StatementsAttr
    : TypedArrayAttrBase<FlatSymbolRefAttr, "array of statements">;

def Scop_ExecutionAttr : AttrDef<Scop_Dialect, "Execution"> {
  let mnemonic = "execution";
  let summary = "How the iterations of a loop are executed";
  let description = [{
    `map` names what runs them: `block`, `thread_x` (neighbouring threads of a
    block), `thread_y` (its other threads). `vector` is the number of iterations
    that one vector operation executes, of the statements given, or of all. If
    it is `masked`, vectors begin where those of memory do, and what they have
    outside of the loop is left out: neither extents nor rows need to be
    multiples. In dimensions of schedules and in `scop.linear` it has no
    brackets, and is nothing at all where it says nothing.

    Example:

    ```mlir
    #scop.execution<map thread_x vector 4 of [@X, @Y]>
    #scop.execution<map thread_y>
    #scop.execution<vector 8 masked>
    ```
  }];
  let parameters = (ins
    OptionalParameter<"std::optional<::grout::Mapping>">:$mapping,
    "unsigned":$vectorWidth,
    "bool":$masked,
    ArrayRefParameter<"::mlir::StringAttr">:$vectorStatements);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The text between the angle brackets.
    static ::mlir::FailureOr<ExecutionAttr> parseBody(::mlir::AsmParser &parser);
    void printBody(::mlir::AsmPrinter &printer) const;
    /// Whether it is that of a loop of which nothing is said.
    bool isEmpty() const { return !getMapping() && getVectorWidth() == 1; }
  }];
}

def Scop_DimAttr : AttrDef<Scop_Dialect, "Dim"> {
  let mnemonic = "dim";
  let summary = "One dimension of a schedule";
  let description = [{
    A `linear` dimension is a loop; a `sequence` puts statements one after the
    other. Neighbouring loops with one number of a `band` can be permuted. A
    `coincident` loop is parallel within its band; a `reduction` one would be,
    if whoever lowers it combined partial results. A loop ends with what
    `#scop.execution` says of it.

    Example:

    ```mlir
    #scop.dim<linear band 1 coincident map thread_x vector 4 of [@X, @Y]>
    #scop.dim<linear band 1 reduction map thread_x vector 8 masked>
    #scop.dim<sequence band 2>
    ```
  }];
  let parameters = (ins
    EnumParameter<Schedule_DimKind>:$kind,
    "unsigned":$band,
    "bool":$coincident,
    "bool":$reductionParallel,
    "::grout::scop::ExecutionAttr":$execution);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The text between the angle brackets.
    static ::mlir::FailureOr<DimAttr> parseBody(::mlir::AsmParser &parser);
    void printBody(::mlir::AsmPrinter &printer) const;
  }];
}

def Scop_ScheduleAttr : AttrDef<Scop_Dialect, "Schedule"> {
  let mnemonic = "schedule";
  let summary = "When every instance of every statement is executed";
  let description = [{
    Maps the iterators of each statement to a time, with one result for each
    dimension; times are compared lexicographically. Results are linear, with
    integer coefficients, and constant in `sequence` dimensions.

    Example: two statements share a loop, in which one follows the other.

    ```mlir
    #scop.schedule<[linear band 0 coincident, sequence band 1, linear band 2],
                   @S0 = (d0, d1) -> (d0, 0, d1),
                   @S1 = (d0, d1) -> (d0, 1, d1)>
    ```
  }];
  let parameters = (ins
    ArrayRefParameter<"::grout::scop::DimAttr">:$dims,
    ArrayRefParameter<"::mlir::StringAttr">:$statements,
    ArrayRefParameter<"::mlir::AffineMap">:$maps);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The map of the statement `name`; null if there is none.
    ::mlir::AffineMap getMap(::llvm::StringRef name) const;
  }];
}

def Scop_TermAttr : AttrDef<Scop_Dialect, "Term"> {
  let mnemonic = "term";
  let summary = "A schedule coefficient times a number";
  let description = [{
    The coefficient of iterator `position` of a statement, or its constant
    (`const`), in the row that is being computed, or `at` an outer one.

    Example:

    ```mlir
    #scop.term<2 * @X[1]>
    #scop.term<@X[const] at 0>
    ```
  }];
  let parameters = (ins
    "int64_t":$factor,
    "::mlir::StringAttr":$statement,
    "std::optional<unsigned>":$iterator,
    "std::optional<unsigned>":$row);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Prints the text between the angle brackets, without the minus sign where
    /// the printer has set one.
    void printBody(::mlir::AsmPrinter &printer, bool withSign) const;
  }];
}

def Scop_ConstraintAttr : AttrDef<Scop_Dialect, "Constraint"> {
  let mnemonic = "constraint";
  let summary = "An affine constraint on schedule coefficients";
  let description = [{
    A sum of coefficients and a constant that must be zero, or not negative.

    Example: iterator 1 of X counts as much as iterator 0 of Y did in row 0.

    ```mlir
    #scop.constraint<@X[1] - @Y[0] at 0 eq 0>
    #scop.constraint<@X[0] - 1 ge 0>
    ```
  }];
  let parameters = (ins
    ArrayRefParameter<"::grout::scop::TermAttr">:$terms,
    "int64_t":$constant,
    "bool":$equality);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The text between the angle brackets.
    static ::mlir::FailureOr<ConstraintAttr> parseBody(::mlir::AsmParser &parser);
    void printBody(::mlir::AsmPrinter &printer) const;
  }];
}

def Scop_ConstraintArrayAttr
    : TypedArrayAttrBase<Scop_ConstraintAttr, "array of constraints">;

#endif // GROUT_DIALECT_SCOP_IR_SCOPATTRS_TD
