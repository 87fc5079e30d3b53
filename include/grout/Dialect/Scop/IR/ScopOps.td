//===- ScopOps.td - Kernels and statements -----------------*- tablegen -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_SCOP_IR_SCOPOPS_TD
#define GROUT_DIALECT_SCOP_IR_SCOPOPS_TD

include "grout/Dialect/Scop/IR/ScopAttrs.td"
include "grout/Dialect/Scop/IR/ScopDialect.td"
include "grout/Interfaces/TileKernelInterface.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Scop_Op<string mnemonic, list<Trait> traits = []>
    : Op<Scop_Dialect, mnemonic, traits>;

def Scop_Element : AnyTypeOf<[AnySignlessInteger, AnyFloat]>;
def Scop_Tensor : StaticShapeTensorOf<[Scop_Element]>;
def Scop_Array : StaticShapeMemRefOf<[Scop_Element]>;
def Scop_Scalar : AnyTypeOf<[Scop_Element, Index]>;

def Scop_KernelOp : Scop_Op<"kernel", [
    AttrSizedOperandSegments, DestinationStyleOpInterface, IsolatedFromAbove,
    NoTerminator, SingleBlock, SymbolTable,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<TileKernelOpInterface, ["runsWithoutTiles", "getUpdatedOperand"]>]> {
  let summary = "statements that run as one kernel";
  let description = [{
    The body's arguments are the arrays of the kernel, one for each operand: a
    `memref` with the operand's shape and element type. A scalar operand has a
    scalar argument. The array of an output starts with the contents of its
    operand, and the result is the contents that the statements leave in the
    array. Statements never write inputs.

    A kernel on tensors has a result for each output. Bufferization makes a
    kernel on memrefs of it, which has no results: the arrays have the types of
    the operands, and an output shares no memory with any other operand.

    The body holds `scop.local`, `scop.stmt`, and at most one `scop.tree`. By
    definition, statements run one after the other, in the order of the body.
    `schedule` is another order in which they may run. It is absent until
    `scop-schedule` or the user chooses it.

    `tiles` makes the kernel a tile kernel. It has a size, in iterations, for
    each *outer loop*, outermost first. The outer loops are the leading linear
    dimensions of the schedule that are coincident, except dimensions in which
    no statement has more than one iteration. The last tile of a loop may be
    smaller. A tile runs, in one step, all iterations within its part of the
    outer loops. Each element of an output is written by one tile, and each tile
    writes one box of it.

    Example:

    ```mlir
    %r = scop.kernel ins(%x, %b : tensor<4x8xf32>, tensor<8xf32>)
        outs(%init : tensor<4x8xf32>)
        schedule <[linear band 0 coincident, linear band 0 coincident],
                  @S0 = (d0, d1) -> (d0, d1)>
        tiles [2, 8] -> tensor<4x8xf32> {
    ^bb0(%X: memref<4x8xf32>, %B: memref<8xf32>, %Y: memref<4x8xf32>):
      scop.stmt @S0 domain [4, 8]
          reads(%X[(d0, d1) -> (d0, d1)] : memref<4x8xf32>,
                %B[(d0, d1) -> (d1)] : memref<8xf32>)
          writes(%Y[(d0, d1) -> (d0, d1)] : memref<4x8xf32>) {
      ^bb0(%xe: f32, %be: f32):
        %sum = arith.addf %xe, %be : f32
        scop.yield %sum : f32
      }
    }
    ```
  }];
  let arguments = (ins
    Variadic<AnyTypeOf<[Scop_Tensor, Scop_Array, Scop_Scalar]>>:$inputs,
    Variadic<AnyTypeOf<[Scop_Tensor, Scop_Array]>>:$outputs,
    OptionalAttr<Scop_ScheduleAttr>:$schedule,
    OptionalAttr<DenseI64ArrayAttr>:$tile_sizes);
  let results = (outs Variadic<Scop_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    (`ins` `(` $inputs^ `:` type($inputs) `)`)?
    `outs` `(` $outputs `:` type($outputs) `)` (`schedule` $schedule^)?
    (`tiles` $tile_sizes^)? attr-dict-with-keyword (`->` type($results)^)? $body
  }];
  let builders = [
    // Builds a kernel without tiles.
    OpBuilder<(ins "::mlir::TypeRange":$results, "::mlir::ValueRange":$inputs,
                   "::mlir::ValueRange":$outputs, "ScheduleAttr":$schedule), [{
      build($_builder, $_state, results, inputs, outputs, schedule,
            /*tile_sizes=*/::mlir::DenseI64ArrayAttr());
    }]>,
  ];
  let extraClassDeclaration = [{
    /// Returns the statements, in the order of the body.
    auto getStatements() { return getBody().front().getOps<StmtOp>(); }
    /// Returns the statement called `name`, or null.
    StmtOp lookupStatement(::llvm::StringRef name);
    /// Returns the constraint tree, or null.
    TreeOp getTree();
    /// Returns whether output `array` has the memory of its operand, because
    /// statements scatter into it. Elements that they do not replace keep their
    /// values.
    bool updates(::mlir::BlockArgument array);
    /// Returns whether the operands are tensors.
    bool hasTensors() { return !getResults().empty(); }
    /// Returns the array or scalar of the body that stands for `operand`.
    ::mlir::BlockArgument getArgument(::mlir::OpOperand &operand) {
      return getBody().getArgument(operand.getOperandNumber());
    }
    /// Returns whether `array`, an argument of the body, belongs to an output.
    bool isOutput(::mlir::BlockArgument array) {
      return array.getArgNumber() >= getInputs().size();
    }
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getOutputsMutable();
    }
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let hasCanonicalizer = 1;
}

def Scop_LaunchOp : Scop_Op<"launch", [
    NoRegionArguments, RecursiveMemoryEffects, SingleBlock]> {
  let summary = "kernels that share a launch of a GPU";
  let description = [{
    The body holds kernels on tensors. None of them uses a result of another, so
    they may run at the same time. Their blocks are the blocks of a single
    launch: the first blocks run the first kernel, the next blocks the second
    kernel, and so on. The results are the kernels' results that are used
    outside.

    Example:

    ```mlir
    %f, %z = scop.launch -> tensor<64xf16>, tensor<32xf32> {
      %0 = scop.kernel ins(%x : tensor<64xf32>) outs(%e : tensor<64xf16>)
          schedule <[linear band 0 coincident], @S = (d0) -> (d0)>
          -> tensor<64xf16> {
      ^bb0(%X: memref<64xf32>, %Y: memref<64xf16>):
        scop.stmt @S domain [64] reads(%X[(d0) -> (d0)] : memref<64xf32>)
            writes(%Y[(d0) -> (d0)] : memref<64xf16>) {
        ^bb0(%v: f32):
          %r = arith.truncf %v : f32 to f16
          scop.yield %r : f16
        }
      }
      %1 = scop.kernel outs(%d : tensor<32xf32>)
          schedule <[linear band 0 coincident], @S = (d0) -> (d0)>
          -> tensor<32xf32> {
      ^bb0(%Y: memref<32xf32>):
        scop.stmt @S domain [32] writes(%Y[(d0) -> (d0)] : memref<32xf32>) {
          %zero = arith.constant 0.0 : f32
          scop.yield %zero : f32
        }
      }
      scop.yield %0, %1 : tensor<64xf16>, tensor<32xf32>
    }
    ```
  }];
  let results = (outs Variadic<Scop_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    attr-dict-with-keyword (`->` type($results)^)? $body
  }];
  let extraClassDeclaration = [{
    /// Returns the kernels, in the order of their blocks.
    auto getKernels() { return getBody().front().getOps<KernelOp>(); }
    YieldOp getYield();
  }];
  let hasRegionVerifier = 1;
  let hasCanonicalizer = 1;
}

def Scop_LocalOp : Scop_Op<"local", [HasParent<"KernelOp">]> {
  let summary = "an array that lives as long as the kernel";
  let description = [{
    The elements are undefined until a statement writes them. Code generation
    may give the array less memory than its type says, or none.

    Example:

    ```mlir
    %t = scop.local : memref<4x8xf32>
    ```
  }];
  let results = (outs Res<Scop_Array, "", [MemAlloc]>:$array);
  let assemblyFormat = "attr-dict `:` type($array)";
}

def Scop_StmtOp : Scop_Op<"stmt", [
    AttrSizedOperandSegments, HasParent<"KernelOp">, Symbol, SingleBlock]> {
  let summary = "a computation that is done at every point of a box";
  let description = [{
    The statement runs for every point with 0 <= iterator < extent, in
    lexicographic order. At each point it loads one element for each of `reads`,
    computes with these elements in the region, and stores the yielded elements,
    one for each of `writes`. The maps take the iterators to the indices of the
    element. Different writes go to different arrays.

    The region is pure, except for `scop.scatter`; a statement with a scatter
    may have no `writes`. Besides its own values, the region may use the scalar
    arguments of the kernel, and `scop.index`.

    `reductions` lists the iterators of a reduction. Each write then has a read
    of the same element. The region combines the value of this read with others,
    by a commutative and associative operation, and yields the result. The
    instances for one element may run in any order, but not at the same time.
    Floating-point addition and multiplication count as associative, as in a
    reduction of `linalg`.

    Example:

    ```mlir
    scop.stmt @sum domain [4, 8]
        reads(%X[(d0, d1) -> (d0, d1)] : memref<4x8xf32>,
              %S[(d0, d1) -> (d0)] : memref<4xf32>)
        writes(%S[(d0, d1) -> (d0)] : memref<4xf32>)
        reductions [1] {
    ^bb0(%x: f32, %acc: f32):
      %sum = arith.addf %acc, %x : f32
      scop.yield %sum : f32
    }
    ```
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    DenseI64ArrayAttr:$extents,
    Arg<Variadic<Scop_Array>, "", [MemRead]>:$reads,
    DefaultValuedAttr<AffineMapArrayAttr, "{}">:$readMaps,
    Arg<Variadic<Scop_Array>, "", [MemWrite]>:$writes,
    DefaultValuedAttr<AffineMapArrayAttr, "{}">:$writeMaps,
    DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$reductions);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name `domain` $extents
    (`reads` `(` custom<Accesses>($reads, type($reads), $readMaps)^ `)`)?
    (`writes` `(` custom<Accesses>($writes, type($writes), $writeMaps)^ `)`)?
    (`reductions` $reductions^)? attr-dict-with-keyword $body
  }];
  let extraClassDeclaration = [{
    unsigned getNumIterators() { return getExtents().size(); }
    ::mlir::AffineMap getReadMap(unsigned index) {
      return ::mlir::cast<::mlir::AffineMapAttr>(getReadMaps()[index]).getValue();
    }
    ::mlir::AffineMap getWriteMap(unsigned index) {
      return ::mlir::cast<::mlir::AffineMapAttr>(getWriteMaps()[index]).getValue();
    }
    bool isReduction() { return !getReductions().empty(); }
    bool reads(::mlir::Value array) {
      return ::llvm::is_contained(getReads(), array);
    }
    /// Returns whether the statement writes elements of `array`, or scatters
    /// into it.
    bool writes(::mlir::Value array);
    /// Returns all arrays that the statement writes or scatters into.
    ::llvm::SmallVector<::mlir::Value> getWrittenArrays();
    /// Returns how often the statement runs: its number of points.
    int64_t getNumInstances() { return *getSize(getExtents()); }
    /// Returns the number of the read whose element write `index` replaces, if
    /// any.
    std::optional<unsigned> getReadOfWrite(unsigned index);
    /// Returns the operation that combines the element that write `index`
    /// replaces with others; null if the region uses this element in another
    /// way.
    ::mlir::Operation *getCombiner(unsigned index);
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let hasCanonicalizer = 1;
}

def Scop_IndexOp : Scop_Op<"index", [Pure]> {
  let summary = "the value of an iterator";
  let description = [{
    The value of iterator `iterator` of the enclosing statement.

    Example:

    ```mlir
    %i = scop.index 0 : index
    ```
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative]>:$iterator);
  let results = (outs Index:$value);
  let assemblyFormat = "$iterator attr-dict `:` type($value)";
  let hasVerifier = 1;
}

def Scop_GatherOp : Scop_Op<"gather", [
    Pure, TypesMatchWith<"the value is an element of the array", "array",
        "value", "::mlir::cast<::mlir::MemRefType>($_self).getElementType()">]> {
  let summary = "an element at a place that is computed";
  let description = [{
    Reads the element of `array` at `indices`. The enclosing statement computes
    one index for each dimension of the array. An index below 0 counts as 0, and
    an index beyond the last element counts as the last element, so the kernel
    reads nothing outside of the array. The array is an input of the kernel, and
    so does not change while the kernel runs. A tile that gathers counts as
    reading the whole array.

    Example: a row of a table for each number.

    ```mlir
    scop.stmt @S domain [4, 16]
        reads(%N[(d0, d1) -> (d0)] : memref<4xi64>)
        writes(%Y[(d0, d1) -> (d0, d1)] : memref<4x16xf32>) {
    ^bb0(%n: i64):
      %i = arith.index_cast %n : i64 to index
      %j = scop.index 1 : index
      %v = scop.gather %T[%i, %j] : memref<100x16xf32>
      scop.yield %v : f32
    }
    ```
  }];
  let arguments = (ins Scop_Array:$array, Variadic<Index>:$indices);
  let results = (outs Scop_Element:$value);
  let assemblyFormat = "$array `[` $indices `]` attr-dict `:` type($array)";
  let extraClassDeclaration = [{
    /// Returns whether index `dim` is always within the array.
    bool isInside(unsigned dim);
  }];
  let hasVerifier = 1;
}

def Scop_ScatterOp : Scop_Op<"scatter", [
    TypesMatchWith<"the value is an element of the array", "array",
        "value", "::mlir::cast<::mlir::MemRefType>($_self).getElementType()">]> {
  let summary = "writes an element at a place that is computed";
  let description = [{
    Writes `value` to `array` at `indices`. The enclosing statement computes one
    index for each dimension of the array. If an index is outside of the array,
    the op writes nothing. If it also has a `message`, the kernel fails with
    this message; kernels on CPUs cannot do this. No two instances may write the
    same element.

    The array is an output of the kernel. Nothing else in the kernel accesses
    it, and its other elements keep their values. So the kernel *updates* its
    operand: the result has the same memory.

    Example: a row of a table for each number.

    ```mlir
    scop.stmt @S domain [4, 16]
        reads(%N[(d0, d1) -> (d0)] : memref<4xi64>,
              %X[(d0, d1) -> (d0, d1)] : memref<4x16xf32>) {
    ^bb0(%n: i64, %x: f32):
      %i = arith.index_cast %n : i64 to index
      %j = scop.index 1 : index
      scop.scatter %x into %T[%i, %j] message "no such row" : memref<100x16xf32>
      scop.yield
    }
    ```
  }];
  let arguments = (ins Scop_Element:$value,
                       Arg<Scop_Array, "", [MemWrite]>:$array,
                       Variadic<Index>:$indices,
                       OptionalAttr<StrAttr>:$message);
  let assemblyFormat = [{
    $value `into` $array `[` $indices `]` (`message` $message^)? attr-dict
    `:` type($array)
  }];
  let extraClassDeclaration = [{
    /// Returns whether index `dim` is always within the array.
    bool isInside(unsigned dim);
  }];
  let hasVerifier = 1;
}

def Scop_YieldOp : Scop_Op<"yield", [
    Pure, Terminator, ReturnLike, ParentOneOf<["StmtOp", "LaunchOp"]>]> {
  let summary = "ends a statement or a launch";
  let description = [{
    In a statement, yields the elements that it writes. In a launch, yields the
    results of kernels that are used outside.

    Example:

    ```mlir
    scop.yield %sum : f32
    ```
  }];
  let arguments = (ins Variadic<AnyTypeOf<[Scop_Element, Scop_Tensor]>>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}

//===----------------------------------------------------------------------===//
// Constraint trees
//===----------------------------------------------------------------------===//

def Scop_TreeOp : Scop_Op<"tree", [
    HasParent<"KernelOp">, NoTerminator, NoRegionArguments, SingleBlock]> {
  let summary = "a constraint tree, which steers the scheduler of a kernel";
  let description = [{
    The ops in the body are alternatives for the outermost dimension of the
    schedule, in order of preference. The ops in an alternative are alternatives
    for the next dimension. If an alternative is impossible, the scheduler tries
    the next one; if none is left, it goes back to the dimension before. The
    scheduler itself chooses everything that a leaf leaves open.

    Example: vectorise along the rows, or else along the columns.

    ```mlir
    scop.tree {
      scop.linear constraints [@S0[0] - 1 eq 0, @S0[1] eq 0] coincidence all {
        scop.linear constraints [@S0[1] - 1 eq 0] coincidence all vector 4 {}
      }
      scop.linear constraints [@S0[1] - 1 eq 0, @S0[0] eq 0] coincidence all {
        scop.linear constraints [@S0[0] - 1 eq 0] coincidence all vector 4 {}
      }
    }
    ```
  }];
  let regions = (region MaxSizedRegion<1>:$body);
  let assemblyFormat = "attr-dict-with-keyword $body";
  let hasRegionVerifier = 1;
}

def Scop_LinearOp : Scop_Op<"linear", [
    ParentOneOf<["TreeOp", "LinearOp", "SequenceOp"]>, NoTerminator,
    NoRegionArguments, SingleBlock]> {
  let summary = "what a loop of the schedule must be";
  let description = [{
    `constraints` constrain the coefficients of this row of the schedule, and
    may refer to coefficients of outer rows. `coincidence` says which
    dependences the loop must not carry: `none`, `all`, or the ones that are
    `listed` by name, as `scop-print-dependences` prints them. `new_band` starts
    a band: from there on, the schedule need not respect dependences that outer
    loops carry. The loop's `#scop.execution` comes last.

    Example:

    ```mlir
    scop.linear constraints [@X[0] - 1 eq 0, @X[1] - @Y[0] at 0 eq 0]
        coincidence listed ["flow_X_Y"] new_band map thread_x vector 4 of [@X] {
    }
    ```
  }];
  let arguments = (ins
    DefaultValuedAttr<Scop_ConstraintArrayAttr, "{}">:$constraints,
    DefaultValuedAttr<Scop_CoincidenceAttr,
                      "::grout::Coincidence::None">:$coincidence,
    DefaultValuedAttr<StrArrayAttr, "{}">:$coincident,
    UnitAttr:$newBand,
    Scop_ExecutionAttr:$execution);
  let regions = (region MaxSizedRegion<1>:$body);
  let assemblyFormat = [{
    (`constraints` custom<Constraints>($constraints)^)?
    (`coincidence` $coincidence^)? ($coincident^)? (`new_band` $newBand^)?
    `` custom<Execution>($execution) attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Scop_SequenceOp : Scop_Op<"sequence", [
    ParentOneOf<["TreeOp", "LinearOp", "SequenceOp"]>, NoTerminator,
    NoRegionArguments, SingleBlock]> {
  let summary = "which statements come before which";
  let description = [{
    Gives the dimension a constant for each group of statements, in the order of
    the groups. Every statement of the kernel is in one group.

    Example:

    ```mlir
    scop.sequence [[@X, @Y], [@Z]] {
    }
    ```
  }];
  let arguments = (ins
    TypedArrayAttrBase<Scop_StatementsAttr, "groups of statements">:$order,
    UnitAttr:$newBand);
  let regions = (region MaxSizedRegion<1>:$body);
  let assemblyFormat = [{
    $order (`new_band` $newBand^)? attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

#endif // GROUT_DIALECT_SCOP_IR_SCOPOPS_TD
