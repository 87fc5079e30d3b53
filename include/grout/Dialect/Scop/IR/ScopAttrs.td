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
  // The namespace of the attribute; the enum belongs to the scheduling library.
  let cppNamespace = Scop_Dialect.cppNamespace;
}

def Scop_StatementsAttr
    : TypedArrayAttrBase<FlatSymbolRefAttr, "array of statements">;

def Scop_ExecutionAttr : AttrDef<Scop_Dialect, "Execution"> {
  let mnemonic = "execution";
  let summary = "How the iterations of a loop are executed";
  let description = [{
    `map` names the blocks or threads that run the iterations: `block`,
    `thread_x` (neighbouring threads of a block), `thread_y` (the other threads
    of a block). `vector` is the number of iterations that one vector operation
    executes, for the listed statements, or for all statements if there is no
    list. If `vector` is `masked`, vectors begin at multiples of their width in
    memory, and elements outside of the loop are left out. So neither extents
    nor rows need to be multiples of the width. In dimensions of schedules and
    in `scop.linear`, the attribute has no brackets, and an attribute without
    information is not printed at all.

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
    /// Parses the text between the angle brackets.
    static ::mlir::FailureOr<ExecutionAttr> parseBody(::mlir::AsmParser &parser);
    void printBody(::mlir::AsmPrinter &printer) const;
    /// Returns whether the attribute says nothing about the loop.
    bool isEmpty() const { return !getMapping() && getVectorWidth() == 1; }
  }];
}

def Scop_DimAttr : AttrDef<Scop_Dialect, "Dim"> {
  let mnemonic = "dim";
  let summary = "One dimension of a schedule";
  let description = [{
    A `linear` dimension is a loop. A `sequence` dimension puts statements one
    after the other. Neighbouring loops with the same `band` number can be
    permuted. A `coincident` loop is parallel within its band. A `reduction`
    loop would be parallel if the lowering combined partial results. The loop's
    `#scop.execution` comes last.

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
    /// Parses the text between the angle brackets.
    static ::mlir::FailureOr<DimAttr> parseBody(::mlir::AsmParser &parser);
    void printBody(::mlir::AsmPrinter &printer) const;
  }];
}

def Scop_ScheduleAttr : AttrDef<Scop_Dialect, "Schedule"> {
  let mnemonic = "schedule";
  let summary = "When every instance of every statement is executed";
  let description = [{
    Maps the iterators of each statement to a time. A time has one number for
    each dimension, and times are compared lexicographically. The maps are
    linear, with integer coefficients; in `sequence` dimensions they are
    constant.

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
    /// Returns the map of the statement `name`; null if there is none.
    ::mlir::AffineMap getMap(::llvm::StringRef name) const;
  }];
}

def Scop_TermAttr : AttrDef<Scop_Dialect, "Term"> {
  let mnemonic = "term";
  let summary = "A schedule coefficient times a number";
  let description = [{
    The coefficient of iterator `position` of a statement, or the constant of
    the statement (`const`), times a number. The coefficient is in the row of
    the schedule that the scheduler is computing, or, with `at`, in an outer
    row.

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
    /// Prints the text between the angle brackets. If `withSign` is false, the
    /// caller has printed the minus sign already.
    void printBody(::mlir::AsmPrinter &printer, bool withSign) const;
  }];
}

def Scop_ConstraintAttr : AttrDef<Scop_Dialect, "Constraint"> {
  let mnemonic = "constraint";
  let summary = "An affine constraint on schedule coefficients";
  let description = [{
    A sum of coefficients and a constant that must be zero (`eq`), or not
    negative (`ge`).

    Example: iterator 1 of X has the same coefficient as iterator 0 of Y had in
    row 0.

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
    /// Parses the text between the angle brackets.
    static ::mlir::FailureOr<ConstraintAttr> parseBody(::mlir::AsmParser &parser);
    void printBody(::mlir::AsmPrinter &printer) const;
  }];
}

def Scop_ConstraintArrayAttr
    : TypedArrayAttrBase<Scop_ConstraintAttr, "array of constraints">;

#endif // GROUT_DIALECT_SCOP_IR_SCOPATTRS_TD
